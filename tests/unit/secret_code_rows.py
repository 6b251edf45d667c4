"""Rows for codes and account numbers: what must go stands between ⟦ and ⟧; what has no such marks must stay."""

from __future__ import annotations

POSITIVE = r"""
The code of my front door is ⟦7713⟧.
Front door: code ⟦7713⟧
the keypad code's ⟦7713#⟧
Our alarm code has been changed; the new one is ⟦9402⟧.
We changed the alarm code. It's ⟦4482⟧ now.
To disarm the alarm the code is ⟦1357⟧
Side gate code = ⟦2468⟧
⟦7713⟧ is the garage code
use ⟦7713⟧ as the door code
Key safe code: ⟦C1945Y⟧
The combination of the bike lock: ⟦3-8-1-9⟧
the padlock combination is ⟦36-12-24⟧
Building entrance code ⟦0815⟧
Türcode ist ⟦4471⟧
Der Code für die Tür ist ⟦4471⟧
Le code de la porte est ⟦4471⟧
El código de la alarma es ⟦4471⟧
sim card PIN ⟦0000⟧
Ada's phone PIN is ⟦552200⟧
pin for the debit card: ⟦9031⟧
my card PIN was changed to ⟦3052⟧
my PIN's ⟦4471⟧
Your verification code is ⟦482913⟧
G-code? Your Google verification code is ⟦G-482913⟧
The one-time password is ⟦482 913⟧
backup codes: ⟦1234-5678 2345-6789 3456-7890⟧
2FA seed: ⟦JBSW Y3DP EHPK 3PXP⟧
TOTP secret ⟦JBSWY3DPEHPK3PXP⟧
Mara's IBAN: ⟦FR14 2004 1010 0505 0001 3M02 606⟧
IBAN ⟦ch93 0076 2011 6238 5295 7⟧
pay rent to ⟦AT61 1904 3002 3457 3201⟧ on the 1st
Pay ⟦BE68-5390-0754-7034⟧ monthly
The bank account number is ⟦12345678⟧
routing number 021000021, account number ⟦000123456789⟧
My visa card number is ⟦4532 0151 1283 0367⟧
card no: ⟦4532015112830367⟧
Kreditkartennummer: ⟦4532 0151 1283 0367⟧
card number on file ⟦4532-0151-1283-0367⟧
ＩＢＡＮ： ⟦ＤＥ８９３７０４００４４０５３２０１３０００⟧
パスワードは⟦ｈｕｎｔｅｒ２ｘ⟧
ｐａｓｓｗｏｒｄ＝⟦ｈｕｎｔｅｒ２ｘ⟧
𝗽𝗮𝘀𝘀𝘄𝗼𝗿𝗱: ⟦hunter2x⟧
my card is ⟦４１１１ １１１１ １１１１ １１１１⟧
card ⟦٤١١١١١١١١١١١١١١١⟧
PASSWORD=⟦ab"cd"⟧
PASSWORD=⟦ab"cd9x⟧
DB_PASSWORD=⟦abcd'efg'h9⟧
password='⟦ab''cd9x'⟧
PASSWORD="⟦ab"'cd9x'⟧
export DB_PASS="⟦ab"cd'ef'⟧
SECRET_KEY=⟦abcd"1234"efgh5678⟧
ada:⟦$apr1$nF8xJ2lk$T0hZ3vYvTqjkPzxQ2lWmE1⟧
⟦$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaaJObG⟧
⟦pbkdf2_sha256$260000$abcdefgh$Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmE=⟧ in the fixture
userPassword: {SSHA}⟦W6ph5Mm5Pz8GgiULbPgzG37mj9g=⟧
WIFI:S:CafeLuna;T:WPA;P:⟦espresso22⟧;;
*:5432:shop:ada:⟦s3cretPw⟧
The Wi-Fi code is ⟦larch-larch-9⟧
wlan key: ⟦larch-larch-9⟧
wifi network key = ⟦larch-larch-9⟧
hotspot key ⟦larch-larch-9⟧
⟦larch-larch-9⟧ is the wifi key
We have a new wifi key. It is ⟦larch-larch-9⟧.
"""

NEGATIVE = r"""
The gate code of the airport is BER.
The exit code was 137 at the gate.
The door is 2100 mm high and the lock costs 300 euros.
The building code requires 1200 mm corridors.
Building code 2021 applies to the stairs.
The house building code was 2018 edition.
Error code at the garage door opener: 4041
The alarm went off at 1730 and nobody knew the code.
The alarm is set to 0630 on weekdays.
My alarm is 6:30, the code review is at 10.
The safe word is banana, not 4471.
Set the phone alarm to 0715.
The office code review is at 1500 on Monday.
Access code for the course: see page 112.
The dress code for the office is casual since 2022.
The zip code of the house is 90210.
The postal code for the flat is 1010 Vienna.
The area code of the phone is 0203.
The country code for the phone is 49.
The phone's product code is 88213.
Guest code of conduct was written in 2019.
The pin is 2024 vintage.
Bowling: I hit the head pin 1200 times.
Pin 1024 of the FPGA is ground.
The PIN policy is 6 digits
PIN code 560001 is in Bengaluru.
The combination of 250 mg and 500 mg is safe.
A combination of 3 10 12 wins.
The combo at the diner is 1250 calories.
The combination lock cost 1200 yen.
Combination therapy for 2022 patients worked.
The account number of users grew to 120000.
My bank account has 120000 euros in it.
The savings account is 250000 strong.
The card number one on the list is Visa.
The library card number is 21234012345678
Passport control took 90 minutes at gate 12.
My passport expires 2031.
The passport office on 12345678 Street is closed.
My driver's license is from 2009.
Backup code path was removed in 2.3.1.
The recovery key is in the safe.
Recovery codes are printed and in the drawer.
The verification code never arrived.
The backup key is with Ada since 2024-05-01.
The login code lives in auth-service-v2 now.
Backup codes-2024-archive is a folder.
Sign-in code was refactored in PR-1234.
The verification code for module auth-2024 is in src/verify.
The recovery password reset flow v2-beta-3 is live.
IBAN transfer took 2 days.
IBAN check: the first two letters are the country, then 2 digits.
DE has 22 characters in an IBAN
Order AB12 3456 7890 1234 5678 shipped.
Flight LH2023 was delayed by 45 minutes
Serial GB29 NWBK 6016 1331 9268 18 is invalid
The wifi code base is 2000 lines.
The wifi key is on the fridge.
The wifi key was printed on the label.
The wifi key features are speed and range.
The router code was rewritten in Rust2021.
The router key is missing.
WPA3 key exchange uses SAE.
The hotspot code is open source.
The password is 8 characters minimum.
The password is 4711 characters long
The passcode has 6 digits.
My phone has a passcode since 2019.
The keypad has 12 keys and the code is long.
The locker is number 112.
Locker 204 is mine, the code I forgot.
The lockbox is at 1200 Main Street.
The entry code path handles 1500 requests.
The entrance code was changed in 2023.
The shed is 1200 by 2400 mm.
Lift code: ISO 4190.
The garage is on 1500 Elm Street; the code is with Bob.
The intercom needs 2400 mA.
Door 1204 needs a new lock.
The office door is 900 wide
We need 1500 door code stickers.
He walked 2580 steps to the front door.
In 2019 the code for the house was rewritten.
The house has code violations from 1998.
The code for the building was inspected on 2024-05-03.
Access code documentation: RFC 6749.
The unlock code sample is in chapter 1200.
My office code editor is VS Code 1.92.
The screen code is 1500 lines of Kotlin.
The phone code is in the repo since 2021.
The laptop has code 43 error on the GPU.
The cabinet code drawing is A-1200.
The guest code was moved to line 1200.
The guest list code is 300 lines.
The OTP is sent by SMS.
OTP 27 was released in 2024.
The TOTP app is Aegis 3.2.1
sms code handling was moved to notify-2-service
The OTP library handles 100000 codes.
A sort code has six digits
$5$ is not a hash; costs $20 to $300.
It costs $1,200,000 to $1,300,000 all in.
bcrypt is slow, argon2id is better
WIFI: the signal is bad in the attic; P: parking
server:8080:web:up:running
10.0.0.1:5432:shop:ready
12:30:15:200:300
The meeting is 12:30:45:ok:fine
He said "password" and left.
password="" is an empty string
if password=="" then fail
<input type="password" name="pw" value="">
print(f"password={x}")
{"password":"","user":"ada"}
f'password={pw}'+'x'
The card ending in 4242 is mine.
Confirm code review 1234567 by Friday
confirmation code for the flight is on the ticket
Login key figures: 120000 users
My house number is 1234, the code enforcement office is next door.
Room codes have the form B-123.
The flat is 1200 a month; access is by code.
The office is open 0800 to 1800, access by code.
Key safe by the door, ask Ada for the code, she's at 020 7946 0958.
Our alarm company is on 0800 123456.
The access code expires in 2027.
The alarm code will be changed on 12.05.2026.
The door code changes every 90 days.
The door code has 4 digits.
The gate code was changed 300 times.
The alarm code, 30 years old, was changed.
Don't share the door code with more than 100 people.
Since 2023 the front door has a code.
"""

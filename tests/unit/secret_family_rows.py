"""Rows for families of secrets: what must go stands between ⟦ and ⟧; what has no such marks must stay as it is."""

from __future__ import annotations

POSITIVE = """
DB_PASSWORD=⟦Zk9,qW2,eR7⟧
export MYSQL_PWD=⟦a!b,c;d&e⟧
SMTP_PASS=⟦p@ss,word;42⟧
ADMIN_PASSWORD=⟦Kite|7|Moss⟧
password=⟦Tr0ub4dor&3xyz⟧
The admin password is ⟦Qu1et&Harbor⟧.
her password: ⟦v1olet,M00n⟧
My Netflix password is ⟦gr33n;Apple⟧, please keep it
passwd=⟦r0ck&roll,77⟧ in the env file
pwd: ⟦9lives&counting⟧
log in with pass: ⟦S3cure-Pass-9⟧
The NAS account is mara, pass: ⟦bluE7tide⟧
wifi pass: ⟦L1ghthouse!⟧
router login admin pw: ⟦m4ple-st⟧
pw: ⟦0rchid-99⟧
The vpn pw is ⟦f0x-den-12⟧
ftp user bob pass=⟦tulip_55x⟧
ssh into the server with pass: ⟦c0balt#9⟧
sign in with user ada pass: ⟦Wren2024!⟧
email account pw: ⟦heron$lake7⟧
the pin is ⟦4711⟧
my pin is ⟦8362⟧
Phone pin: ⟦5521⟧
The door PIN code is ⟦7740⟧
bank card pin: ⟦0913⟧
alarm pin is ⟦662190⟧
mysql -uroot -p⟦S3cretPw!⟧
mysqldump -h db -u app -p⟦n1ghtOwl⟧ shop > dump.sql
mariadb -u root -p⟦h0neycomb⟧
sshpass -p ⟦r1verBank⟧ ssh deploy@10.0.0.4
sshpass -p '⟦w1nd mill⟧' ssh host
7z x backup.7z -p⟦Arch1ve#9⟧
redis-cli -h cache -a ⟦t1deP00l⟧ ping
createuser --password ⟦br1ckLane⟧
tool --password=⟦cedar-77-fog⟧ --verbose
run --pass ⟦m0onBeam⟧ --user ops
docker login -u ops --password ⟦dock3rPw!⟧ registry.example
curl -u bob:⟦hunter22⟧ https://api.example.com
curl --user svc:⟦k1te-strings⟧ https://api.example.com
connect as admin:⟦S3cret!⟧@db.internal.example
rsync backup:⟦p4per-crane⟧@files.example.org::data
postgres DSN is app:⟦x9-lagoon⟧@10.0.0.5
mongo at root:⟦t0p$hat⟧@mongo.example:27017
https://deploy:⟦s3aShell⟧@git.example.com/repo.git
My private key is ⟦0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318⟧
⟦0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63⟧
wallet key ⟦0x0dbbe8e4ae425a6d2687f1a7e3ba17bc98c673636790f1b8ad91193c05875ef1⟧ for testing
deployer: ⟦0xc88b703fb08cbea894b6aeff5a544fb92e78a18e19814cd85da83b71f772aa6c⟧
PRIVATE_KEY=⟦0x388c684f0ba1ef5017716adb5d21a053ea8e90277d0868337519f97bede61418⟧
my seed phrase is ⟦legal winner thank year wave sausage worth useful legal winner thank yellow⟧
Seed phrase: ⟦letter advice cage absurd amount doctor acoustic avoid letter advice cage above⟧
recovery phrase = ⟦zoo wrong vibrant tired solve nerve month lunch kidney hip garden fossil⟧
mnemonic: "⟦ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic⟧"
recovery words are ⟦1 grit 2 mule 3 north 4 sort 5 system 6 female 7 filter 8 attitude 9 volume 10 fold 11 club 12 stay⟧
backup seed: ⟦hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel⟧
mnemonic ⟦oak elf bus ape call fog mud tea mesh disc soft owl alp oar nap fin dew lot hob quad inn dam gem ink⟧
our seed words: ⟦scheme, spot, photo, card, baby, mountain, device, kick, cradle, pact, join, borrow⟧
SSN ⟦078-05-1120⟧
Her SSN is ⟦219-09-9999⟧.
social security number: ⟦457 55 5462⟧
SSN: ⟦457555462⟧
the tax form lists ⟦512-34-9087⟧ for Ben
His national insurance number is ⟦AB 12 34 56 C⟧
NI number QQ123456C is nobody's, ⟦JG103759A⟧ is right
DNI ⟦12345678Z⟧
mi NIF es ⟦87654321X⟧
codice fiscale ⟦RSSMRA85T10A562S⟧
CPF ⟦529.982.247-25⟧
rotated the router password. New one is ⟦copper-owl-31⟧.
I changed my password. It's now ⟦Blue!Heron7⟧.
We reset the admin password yesterday; the new one is ⟦k1ln-fire⟧
The wifi password changed. The new password is ⟦sunny-den-4!⟧
He forgot his passcode. The current one is ⟦839201⟧.
New pin was issued, it is ⟦4419⟧
The old password no longer works. The right one is ⟦Gr4nite_2⟧.
Password rotated. Now it is ⟦p1ne-c0ne⟧
We updated the database password. New value: ⟦0ak&Ash99⟧
The passphrase was leaked, so the new one is ⟦m1nt-leaf-8⟧
senha: ⟦c4chorro!⟧
Kennwort ist ⟦Haus2Tür⟧
api_key=⟦9f8e7d6c5b4a39281706⟧
"client_secret": "⟦aB3dE5fG7hI9jK1lM2⟧"
token: ⟦tok9x8c7v6b5n4m3a2s1⟧
root password for the pi: ⟦raspb3rry,pie⟧
zip -P ⟦p4cked-Up⟧ out.zip docs
Mara's laptop pw is ⟦0tter-pond⟧
gpg --batch --passphrase ⟦n0rthSea-4⟧ -d file
here is my secret recovery phrase ⟦test walk nut penalty hip pave soap entry language right filter choice⟧
We had to change the alarm pin. The new one is ⟦9083⟧
PGPASSWORD=⟦q,w,e,r,7⟧ psql -h db
tool --password ⟦hunter⟧ --verbose
-p and --passphrase ⟦gl4ss-b0at⟧ is what gpg wants
"""

NEGATIVE = """
The build takes 3,5 minutes and 2,400 tests pass.
Boarding pass: gate B22, seat 14C.
PASS: test_login_v2
tests pass: 412 of 412
The mountain pass is 2,284 m high.
My ski pass: valid until 2026-04-12.
All checks pass; version v2.14.3 is out.
The password policy requires 12 characters.
Passwords are rotated every 90 days.
We rotated the router password. Nobody noticed.
I changed my password. It was about time.
The password reset page is broken. It is fixed in v2.3.1.
My password manager is great. It is called Bitwarden2.
The password expired. New one is needed.
The password was changed on 2026-03-04. It's fine.
He forgot the password. It's somewhere in the drawer.
The password field has a bug. The new one is better.
The pin is bent on the 24-pin connector.
Pin 13 is the LED pin on the board.
PIN code 560001 is in Bengaluru.
The pin was made in 1987.
The tie pin is 2024 vintage.
mkdir -p /srv/data/backups
cp -p file.txt /tmp
ssh -p 2222 host.example
docker run -p 8080:80 nginx
nc -p 4444 host
tar -xpf archive.tar
mysql -u root -p shop
mysql -P 3306 -h db.internal
python -m pytest -p no:cacheprovider
psql -U app -p 5432
curl -u $USER:$PASSWORD https://api.example.com
tool --password-file /run/secrets/db
tool --password $DB_PASSWORD
Use --pass-through to forward arguments.
git clone git@github.com:org/repo.git
mailto:robert@example.com
Write to: anna2@example.com
Contact sip:alice99@voip.example.org
The meeting is at 10:30@cafe
transaction 0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060 was mined
tx hash: 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b
block 0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3 is the genesis
https://etherscan.io/tx/0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060
The address is 0x742d35Cc6634C0532925a3b844Bc454e4438f44e
commit 3f786850e387550fdab836ed7e6dc881de23001b fixes it
sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
uuid 550e8400-e29b-41d4-a716-446655440000
0xdeadbeef is the magic number
We plant seed in spring and the garden grows with rain and sun and care from our kind friends
The recovery plan is to restore the database from the backup and then check that all rows are there
Random seed: 42
seed money came from three angels in Berlin
The backup runs every night at two and the logs are kept for thirty days on the other host
wallet was found near the old bridge by a kind man who gave it back to its owner
The recovery took twelve weeks and she is now able to walk and run and swim again
Order 123-45-678901 shipped
order number 123-45-6789 shipped
Part no. 512-34-9087 is out of stock
Call 555-123-4567 tomorrow
Phone: 030-12-34567
ISBN 978-3-16-148410-0
000-12-3456 is not a number anybody has
666-12-3456 neither
912-34-5678 is no SSN
Date 2026-11-16 and time 16:30
IP 192.168.10.24 and port 8443
Price was $1,299.00, now €949
The token budget is 4096 tokens.
token_count=512
max_tokens: 2048
The API key is stored in 1Password.
key=C minor, tempo=120
primary key is user_id
The secret of good bread is time.
secret santa: Anna draws Ben
She passed the exam with 97%.
The password is required.
password: string
password=None
password=<your password here>
password=${DB_PASSWORD}
const password = getPassword(user)
The passphrase must have six words.
Passport office opens at 9:00.
compass: north-west
bypass=true
passenger: 3A window
The login page is at /auth/v2/login.
user: anna, role: admin
Their DNI renewal takes 3 weeks.
DNI 12345678A has a wrong letter
Model RSX-2000B is cheaper.
Flight LH1234 leaves at 7:45.
The AB12 bus goes to the NI border.
The CPF 123.456.789-00 in the form is a dummy.
Version 10.4.22-rc1 fixes issue #4711.
Invoice 2026-0042 is paid.
The gate code of the airport is BER.
IBAN transfer took 2 days.
My favourite number is 8362.
It's 7-zip that packed it.
The current one is v2.3.
need feed seed speed bleed breed indeed hundred sacred naked wicked embed shed exceed proceed
Time zones: CET:UTC+1@winter
The --password option is deprecated since 2.1
Wilson's pass: 43 yards
backup words of wisdom from grandma about tea, bread and early mornings
docker pull registry.example/app:v1.2.3@sha256
He reset the password. It works.
The password has 16 characters. It is strong.
The answer to the password for the quiz: ask Ben.
nomic:v1.5@https://llm.example/v1
Ada uses pw as a prefix for playwright tests.
"""


def rows(table: str) -> list[str]:
    return [line for line in table.strip().split("\n") if line]

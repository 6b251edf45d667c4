"""The interfaces of other memory libraries, answered by Ebbing, for programs that are written against them."""

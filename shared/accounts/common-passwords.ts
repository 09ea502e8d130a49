/**
 * Passwords of ten characters and more that lead the published lists of leaked ones; shorter ones are refused anyway. Compared
 * without case, separators, a number behind and common substitutions, so that one entry stands for many.
 */
const LIST = `
password password1 password12 password123 passwordpassword passw0rdpassw0rd mypassword mypassword1 thepassword yourpassword
changeme changemenow changeme123 letmein letmeinnow letmein123 letmeinplease welcome welcome123 welcomehome welcomeback
qwertyuiop qwertyuiop123 qwerty123456 qwerty1234567 qwertyqwerty qwertyasdfgh qazwsxedc qazwsxedcrfv 1qaz2wsx3edc
1qazxsw23edc zaq12wsxcde3 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4t5 q1w2e3r4t5y6 asdfghjkl asdfghjkl123 asdfasdfasdf zxcvbnm123
zxcvbnmasdf zxcvbnmzxcvbnm poiuytrewq mnbvcxzlkj 1234567890 12345678910 0123456789 0987654321 9876543210 1234512345
123123123123 123456789a 123456789q a123456789 aa123456789 abc123456789 abcd123456 abcdef123456 abcdefghij abcabcabc
administrator administrator1 adminadmin adminadmin123 admin123456 administrador superadmin superuser rootroot rootpassword
defaultpassword temporary temporarypassword temppassword testtesttest testpassword testing123 secretpassword
supersecret supersecret123 topsecret topsecret123 secretsecret iloveyou iloveyou123 iloveyou1234 iloveyouforever
iloveyoubaby iloveyousomuch ilovemyself ilovejesus jesuschrist jesusislord godisgood blessed123 princess123
sunshine123 football123 footballfootball basketball baseball123 liverpool123 liverpoolfc manchester manchesterunited
chelseafc arsenalfc barcelona barcelona123 realmadrid juventus123 superman123 supermanbatman batman12345 spiderman123
starwars123 starwarsfan pokemon123 minecraft minecraft123 dragonball dragonballz monkeymonkey michaeljordan
michael123 jennifer123 charlie123 jordan2323 ashleyashley christopher alexander1 elizabeth1 nicholas123
computer123 computercomputer internet123 microsoft windows10 samsung123 samsunggalaxy nokia12345 google1234 facebook123
linkedin123 motdepasse motdepasse123 azertyuiop azertyuiop123 contrasena contraseña contrasena123 passwort123 passwort1234
passwortpasswort hallohallo hallo12345 schatz12345 wachtwoord wachtwoord123 welkom12345 parola12345 senha12345 senha123456
senhasenha palavrapasse haslo12345 hasło12345 qwerty12345 lozinka123 password2020 password2021 password2022 password2023
password2024 password2025 password2026 summer2020 summer2021 summer2022 summer2023 summer2024 summer2025 summer2026
winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 winter2026 spring2024 spring2025 spring2026 autumn2024
autumn2025 autumn2026 trustno1trustno1 whateverwhatever fuckyou123 fuckyou1234 fuckyoubitch nothing123 opensesame
correcthorsebatterystaple correcthorse letmeinletmein accessgranted masterpassword master12345 hello12345 helloworld
helloworld123 hellohello goodmorning happybirthday loveforever foreverlove lovelove123 butterfly1 chocolate1
strawberry cheesecake watermelon california newyorkcity losangeles washington australia1 deutschland england123
touchstone touchstone123 authentication product123 company123 business123 office12345 security123 guestguest guest12345
user123456 username123 useruseruser demo123456 demodemodemo example123 examplepassword sample12345 nopassword nopassword1
`;

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(LIST.split(/\s+/).filter((word) => word !== ''));

/**
 * The page's only style sheet. Colours are pairs of at least 4.5:1 (WCAG 2.2, 1.4.3) in light and dark; things to press
 * are at least 44 px high (2.5.8 asks for 24); fields have letters of 16 px, as iPhones zoom into what has smaller ones; distances are logical, so that right-to-left needs nothing of its own.
 * Headings are hyphenated on narrow screens alone, as browsers that balance lines would hyphenate words that have room.
 */
export const STYLES = `
:root{color-scheme:light dark;--page:#f3f4f6;--card:#fff;--text:#1a1d23;--soft:#565c68;--line:#dcdfe5;--link:#0b57a4;--press:#1f3a5f;--on-press:#fff;--bad:#b1161f;--ok:#0a6b3b;--verdict:#3d4756}
@media screen and (prefers-color-scheme:dark){:root{--page:#121419;--card:#1d2027;--text:#eceef2;--soft:#a9b0bd;--line:#343944;--link:#8fc1ff;--press:#a8cbf5;--on-press:#101b29;--bad:#ff9c94;--ok:#6fd3a0}}
@media (prefers-contrast:more){:root{--soft:var(--text);--line:var(--text)}}
.genuine{--verdict:#0a6b3b}.suspicious{--verdict:#a34700}.diverted{--verdict:#5b3aa6}.suspended{--verdict:#765600}.recalled{--verdict:#b1161f}.expired{--verdict:#7d4414}.inactive,.unknown{--verdict:#45505f}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:60rem;margin:0 auto;padding:0 1rem}
header{display:flex;align-items:center;gap:.75rem;min-height:4rem;padding-block:.5rem;font-weight:600}
header img{display:block;height:auto;max-height:2.5rem;max-width:9rem}
header>svg{flex:none;width:2.5rem;height:2.5rem}
small{display:block;color:var(--soft);font-size:.9375rem;font-weight:400;line-height:1.3}
small svg{width:.875em;height:.875em;vertical-align:-.05em;stroke-width:7;color:var(--ok)}
.stripe{display:block;width:100%;height:.375rem}
h1,h2,p,ol,ul,dl,dd{margin:0;padding:0}
h1{font-size:1.75rem;line-height:1.2;text-wrap:balance}
h1:lang(ja){word-break:auto-phrase}
h2{font-size:1.0625rem;line-height:1.3}
p[dir=auto],p[lang]{white-space:pre-line}
a{color:var(--link);text-underline-offset:.15em}
main{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
section,details{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.125rem}
section>*+*,form>*+*{margin-top:.625rem}
.verdict{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;align-items:center;background:var(--verdict);border:1px solid transparent;color:#fff;padding:1.375rem 1.25rem}
.verdict>*{margin:0}
.verdict svg{width:3.75rem;height:3.75rem}
.verdict p{grid-column:1/-1;margin-top:.5rem}
.verdict .name{font-size:1.1875rem;font-weight:600;line-height:1.3;text-wrap:balance}
.verdict.plain{background:var(--card);color:var(--text);border:1px solid var(--line)}
.plain svg{color:var(--soft)}
.verdict .evidence{border-top:1px solid #fff6;padding-top:.625rem;font-size:.9375rem}
ol,ul{padding-inline-start:1.375rem}
li+li{margin-top:.375rem}
li::marker{font-weight:600}
.product{display:flex;flex-wrap:wrap;gap:1rem;align-items:center}
.product img{width:5rem;height:5rem;object-fit:contain;background:#fff;border-radius:.5rem}
.product b{font-size:1.1875rem;line-height:1.3;flex:1 1 10rem;text-wrap:balance}
dl{display:grid;gap:.5rem}
dl div{display:flex;flex-wrap:wrap;gap:0 1rem;justify-content:space-between;border-top:1px solid var(--line);padding-top:.5rem}
section>dl:first-child div:first-child{border-top:0;padding-top:0}
dt,.soft{color:var(--soft);font-size:.9375rem}
dd{font-weight:600;text-align:end;margin-inline-start:auto}
.address{display:flex;gap:.625rem;align-items:center;border:1px solid var(--line);border-radius:.75rem;padding:.75rem;background:var(--page);font-weight:600;line-height:1.4}
.address svg{flex:none;width:1.375rem;height:1.375rem}
details{padding:0}
summary{padding:1.125rem;font-weight:600;min-height:2.75rem;cursor:pointer}
details[open] summary{padding-bottom:.5rem}
form{padding:0 1.125rem 1.125rem}
section>form{padding:0}
[role=alert]{border:1px solid var(--line);border-inline-start:.375rem solid var(--bad);border-radius:.5rem;padding:.75rem;background:var(--page)}
section.told{border-inline-start:.375rem solid var(--bad)}
.told h2{display:flex;gap:.5rem;align-items:center}
.told svg{flex:none;width:1.375rem;height:1.375rem;color:var(--bad)}
section.told.first,section.told.fresh{--bad:var(--ok)}
input[name=hiddenCode]{letter-spacing:.1em;text-transform:uppercase}
dl+.links{margin-top:.75rem;padding:0;list-style:none}
dl+h2{margin-top:1.25rem}
label{display:block;font-size:.9375rem}
input,textarea{display:block;width:100%;min-height:2.75rem;margin-top:.25rem;padding:.625rem;font:inherit;font-size:1rem;color:inherit;background:var(--page);border:1px solid var(--soft);border-radius:.5rem}
::placeholder{color:var(--soft);opacity:1}
[aria-invalid]{border:3px solid var(--bad)}
button,.button{min-height:2.75rem;padding:.625rem 1.25rem;font:inherit;font-weight:600;color:var(--on-press);background:var(--press);border:1px solid transparent;border-radius:.75rem;cursor:pointer}
.button{display:inline-block;text-decoration:none}
button[aria-disabled]{opacity:.6;cursor:default}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.verdict:focus-visible{outline-offset:4px}
[hidden]{display:none}
footer{padding-block:1.25rem 2rem;color:var(--soft);font-size:.9375rem}
footer p+p,footer nav{margin-top:.75rem}
nav ul{display:flex;flex-wrap:wrap;list-style:none;padding:0;gap:0 1.125rem}
nav li,nav li+li{margin:0}
nav a,.contact a{display:inline-block;padding-block:.625rem}
.contact a{padding-block:0}
[aria-current]{color:inherit;font-weight:600;text-decoration:none}
@media (min-width:48rem){
main{grid-template-columns:minmax(0,1fr) minmax(0,1fr);align-items:start}
.verdict{grid-column:1/-1;padding:1.75rem 2rem;gap:.25rem 1.5rem}
.verdict svg{width:5.5rem;height:5.5rem;grid-row:span 3}
.verdict p{grid-column:2}
h1{font-size:2.25rem}
.column{display:grid;gap:1rem}
}
@media (max-width:23em){h1{-webkit-hyphens:auto;hyphens:auto;-webkit-hyphenate-limit-before:6;-webkit-hyphenate-limit-after:4;hyphenate-limit-chars:14 6 4}}
@media (max-width:18em){header,main,footer{padding:0 .5rem}.verdict{grid-template-columns:minmax(0,1fr);padding:.5rem}.verdict svg{width:2.5rem;height:2.5rem}h1{font-size:1.0625rem}}
@media (max-width:47.99rem){.column{display:contents}}
@media print{:root{color-scheme:light}body{background:#fff}.verdict{color:#000;background:none;border:2px solid}details,nav,.position{display:none}}
`.trim();

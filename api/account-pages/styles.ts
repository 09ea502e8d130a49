export const STYLES = `:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
body { margin: 0; }
main { max-width: 26rem; margin: 12vh auto 0; padding: 0 1.25rem; }
h1 { font-size: 1.5rem; }
label { display: block; margin: 1rem 0; }
input { display: block; box-sizing: border-box; width: 100%; margin-top: .25rem; padding: .6rem; font: inherit; }
button { padding: .65rem 1.1rem; border: 0; border-radius: .4rem; background: #1f2937; color: #fff; font: inherit; cursor: pointer; }
button:disabled { opacity: .6; }
@media (prefers-color-scheme: dark) { button { background: #e5e7eb; color: #111; } }
`;

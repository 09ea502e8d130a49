/** The nonce of this page's policy: whatever makes a `<style>` must carry it. Imported first of all. */
const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');

export const nonce = meta?.nonce ?? '';

// Read by the scroll lock of dialogs (the package get-nonce).
Object.assign(globalThis, { __webpack_nonce__: nonce });

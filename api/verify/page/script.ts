/**
 * The page's only script, served as a file of its own; the page is whole without it. It
 *  - shows moments in the visitor's own time zone, and as their country writes them,
 *  - loads the page once more when one is shown that was prefetched or prerendered, so that the look is a scan,
 *  - takes a tap of the package's NFC tag out of the address: whoever is sent that would come with a used one. One that no tag made stays
 *    there, as nothing else says it again when the page is loaded again,
 *  - puts an address in place of a form that was sent, where one tells the same, or as what was refused is left: coming back sends it no
 *    second time, nor ends at the browser's own page that it would have to,
 *  - offers, where the browser can tell a position, to add it to the scan just made, once, when the button is pressed.
 *
 * Request: `POST` to `data-action` (the page's path and `/position`), JSON `{nonce, lat, lon, accuracyM}`: WGS 84 degrees cut to
 * three decimals (about 100 m: finer is nobody's business), accuracy in metres with 95% confidence as browsers give it.
 * Any 2xx is success, and 409: the scan has a position. The nonce works once; the button goes away after success. It is never `disabled`, and its focus goes on to
 * the message, as a keyboard's visitor would else be thrown back to the page's top (WCAG 2.2, 2.4.3).
 *
 * Kept as text because the compiler's output would need a build step of its own; the browser test runs it.
 */
import { TAP_PARAMETERS } from '../../../shared/nfc/tap.ts';

export const SCRIPT = `
(() => {
  'use strict';
  // What a browser drew beforehand was no scan; somebody looks at it now.
  if (document.prerendering) {
    document.addEventListener('prerenderingchange', () => location.reload(), { once: true });
    return;
  }
  const [navigation] = performance.getEntriesByType('navigation');
  if (navigation && navigation.deliveryType === 'navigational-prefetch') {
    location.reload();
    return;
  }
  const { again, behind } = document.currentScript.dataset;
  if (again) history.replaceState(null, '', again);
  if (behind) addEventListener('pagehide', () => history.replaceState(null, '', behind));
  if (new URLSearchParams(location.search).has('cmac') && !document.querySelector('.told.invalid')) {
    const isOfTap = (pair) => ${JSON.stringify(TAP_PARAMETERS)}.some((name) => new URLSearchParams(pair).has(name));
    const kept = location.search.slice(1).split('&').filter((pair) => !isOfTap(pair));
    const query = kept.length === 0 ? '' : '?' + kept.join('&');
    history.replaceState(null, '', location.origin + location.pathname + query + location.hash);
  }
  const { lang } = document.documentElement;
  const own = navigator.languages.find((each) => each.split('-')[0] === lang) || lang;
  // The same digits and the same calendar as in the rest of the page.
  const { calendar } = new Intl.DateTimeFormat(lang).resolvedOptions();
  for (const time of document.querySelectorAll('time[data-moment]')) {
    const format = new Intl.DateTimeFormat(own, { dateStyle: 'medium', timeStyle: 'short', numberingSystem: time.dataset.moment, calendar });
    time.textContent = format.format(new Date(time.dateTime));
  }
  const section = document.querySelector('.position');
  if (!section || !navigator.geolocation || !window.isSecureContext) return;
  const { action, nonce, done, failed } = section.dataset;
  const button = section.querySelector('button');
  const status = section.querySelector('[role=status]');
  const cut = (degrees) => Math.round(degrees * 1000) / 1000;
  const locate = () => new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(resolve, reject, { maximumAge: 60000, timeout: 15000 });
    // That begins once the visitor has decided; Firefox tells nothing of a question that was closed undecided.
    setTimeout(reject, 60000);
  });
  button.addEventListener('click', async () => {
    if (button.ariaDisabled) return;
    button.ariaDisabled = 'true';
    status.textContent = '';
    try {
      const { latitude, longitude, accuracy } = (await locate()).coords;
      const body = JSON.stringify({ nonce, lat: cut(latitude), lon: cut(longitude), accuracyM: Math.min(200000, Math.ceil(accuracy)) });
      const response = await fetch(action, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      // 409: it was added before, from another tab, or the answer was lost.
      if (!response.ok && response.status !== 409) throw new Error(String(response.status));
      status.textContent = done;
      if (document.activeElement === button) status.focus();
      button.hidden = true;
    } catch {
      status.textContent = failed;
      button.ariaDisabled = null;
    }
  });
  section.hidden = false;
})();
`.trim();

/** Sends the form of an account page as JSON, with the token of the link's fragment. */
export const SCRIPT = `const form = document.querySelector('form');
const status = document.getElementById('status');
const token = new URLSearchParams(location.hash.slice(1)).get('token');
// Out of the address bar, the history and whatever reads them.
history.replaceState(null, '', location.pathname);

if (form.dataset.needsToken === 'true' && !token) {
  form.hidden = true;
  status.textContent = 'This link is not complete. Open it from the mail again.';
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = {};
  for (const [name, value] of new FormData(form)) if (value !== '') body[name] = value;
  if (form.dataset.needsToken === 'true') body.token = token;
  const button = form.querySelector('button');
  button.disabled = true;
  status.textContent = '';
  try {
    const response = await fetch(form.dataset.action, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.ok) {
      form.hidden = true;
      status.textContent = form.dataset.done;
      return;
    }
    const problem = await response.json();
    status.textContent = problem.detail || problem.title;
  } catch {
    status.textContent = 'The service cannot be reached. Try again.';
  }
  button.disabled = false;
});
`;

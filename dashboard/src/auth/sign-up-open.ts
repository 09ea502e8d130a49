/** Whether anybody may sign an organization up here; `web` writes it into the page. Without it, as on the development server, they may. */
export const isSignUpOpen = document.documentElement.dataset['signUp'] !== 'closed';

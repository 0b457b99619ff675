// The pages of an identity provider double: sign-in, consent, and the return to the application.
import { PROVIDERS, type ProviderName } from './provider-protocol'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1>${body}`

const hidden = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')

type At = { provider: ProviderName; request: string }

export const signInPage = ({ provider, request }: At, hint: string): string =>
  page(
    `Sign in to ${PROVIDERS[provider].title}`,
    `<form method="post" action="/${provider}/sign-in">${hidden({ request })}
<label>Your address <input name="email" value="${escapeHtml(hint)}"></label><button>Next</button></form>`,
  )

export const questionPage = ({ provider, request }: At, email: string): string =>
  page(
    `${PROVIDERS[provider].title} asks you`,
    `<p>Signed in as ${escapeHtml(email)}. The app wants to know who you are.</p>
<form method="post" action="/${provider}/answer">${hidden({ request })}
<button name="answer" value="allow">Allow</button><button name="answer" value="refuse">Refuse</button></form>`,
  )

export const brokenPage = (provider: ProviderName, wrong: string): string =>
  page(`${PROVIDERS[provider].title}: this app is broken`, `<p>Wrong: ${escapeHtml(wrong)}</p>`)

/** response_mode=form_post: a script presses the button, or the user does. */
export const postPage = (action: string, fields: Record<string, string>): string =>
  page(
    'One moment',
    `<form method="post" action="${action}">${hidden(fields)}<button>Go on</button></form><script>document.forms[0].submit()</script>`,
  )

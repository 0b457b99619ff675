// The pages of the third-party app: plain, and complete without scripts except for the two that test scripts.
import { decodeJwt } from 'jose'
import { SERVER } from '../origins'
import type { Tokens } from './app-protocol'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
const asJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

export const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1>${body}`

export const homePage = (): string => page('A stranger’s app', '<p><a href="/login?app=spa">Sign in</a></p>')

export const farewellPage = (): string => page('Goodbye', '<p><a href="/">Home</a></p>')

const facts = (values: Record<string, unknown>): string =>
  `<dl>${Object.entries(values)
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(String(value))}</dd>`)
    .join('')}</dl>`

export function welcomePage(tokens: Tokens): string {
  const claims = decodeJwt(tokens.id_token)
  const kept = `<script type="application/json" id="tokens">${asJson(tokens)}</script>`
  return page(`Hello, ${String(claims.name)}`, facts({ ...claims, scope: tokens.scope }) + kept)
}

export const refusalPage = (error: string, description: string): string =>
  page('You are not signed in', `${facts({ error, description })}<p><a href="/login?app=spa">Try again</a></p>`)

/** A fragment never reaches a server: the app's script sends it to the app. */
export const fragmentPage = (): string =>
  page('One moment', `<script>location.replace('/callback?' + location.hash.slice(1))</script>`)

/** The browser redeems the code itself, cross-origin. */
export const exchangePage = (form: Record<string, string>): string =>
  page(
    'One moment',
    `<script>
fetch(${asJson(`${SERVER}/oauth/token`)}, { method: 'POST', body: new URLSearchParams(${asJson(form)}) })
  .then((answer) => answer.json())
  .then(async (tokens) => {
    const headers = { authorization: 'Bearer ' + tokens.access_token }
    const user = await (await fetch(${asJson(`${SERVER}/userinfo`)}, { headers })).json()
    document.querySelector('h1').textContent = 'Hello, ' + user.name
  })
  .catch((error) => { document.querySelector('h1').textContent = String(error) })
</script>`,
  )

/** Waits for a response by postMessage, from a frame or a popup. */
const listener = `addEventListener('message', ({ origin, source, data }) => {
  if (origin !== ${asJson(SERVER)} || data.type !== 'authorization_response') return
  const { code, error, state } = data.response
  document.querySelector('output').textContent = error || 'code'
  if (source !== frames[0]) source.close()
  if (code) location.replace('/callback?' + new URLSearchParams({ code, state }))
})`

/** Silent authentication in a frame (response_mode=web_message, prompt=none). */
export const silentPage = (address: string): string =>
  page(
    'Asking quietly',
    `<output></output><script>${listener}</script><iframe title="Silent sign-in" src="${escapeHtml(address)}"></iframe>`,
  )

/** Login in a popup (response_mode=web_message); the page does not navigate. */
export const popupPage = (address: string): string =>
  page(
    'Without leaving',
    `<output></output><button>Sign in</button><script>${listener}
document.querySelector('button').onclick = () => open(${asJson(address)}, 'sign-in', 'width=400,height=600')
</script>`,
  )

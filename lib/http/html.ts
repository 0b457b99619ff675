// The only hand-written HTML: documents without a design, most of which deliver a response to the client. Every value is
// escaped. Scripts read their data from JSON that cannot close the script element.
import { scriptPolicy, stylePolicy } from './headers'
import { type HttpResponse, html, withHeaders } from './message'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** Without the icon a browser requests /favicon.ico, which the policy forbids. */
const head = (title: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head>`

/** The page for when no tenant is available, so neither its branding nor its language is known. */
export const plainPage = (title: string, body: string): string =>
  `${head(title)}<body><h1>${escapeHtml(title)}</h1><p>${escapeHtml(body)}</p></body></html>`

/** JSON that is safe inside a script element. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, unicodeEscape)
const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A document that posts `fields` to `action` by script, or by its button without scripts (OAuth 2.0 Form Post Response Mode). */
export function autoPostForm(
  action: string,
  fields: Record<string, string>,
  words: { title: string; button: string },
  nonce: string,
): HttpResponse {
  const inputs = hiddenInputs(fields)
  const body = `${head(words.title)}<body><form method="post" action="${escapeHtml(action)}">${inputs}<noscript><button>${escapeHtml(words.button)}</button></noscript></form><script nonce="${nonce}">document.forms[0].submit()</script></body></html>`
  // With `no-referrer` a browser sends `Origin: null`, which receivers that check Origin refuse.
  return withHeaders(html(body), ...scriptPolicy(nonce), ['referrer-policy', 'strict-origin'])
}

/**
 * A document that goes on to `to`, by itself or by its link, and not by a redirect: Chrome applies the `form-action` of a page to every
 * redirect that follows its form.
 */
export function onwardPage(to: string, words: { title: string; link: string }): HttpResponse {
  const body = `${head(words.title)}<body><p><a href="${escapeHtml(to)}">${escapeHtml(words.link)}</a></p></body></html>`
  return withHeaders(
    html(body),
    ['refresh', `0;url=${to}`],
    [
      'content-security-policy',
      "default-src 'none'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ],
    ['x-frame-options', 'DENY'],
  )
}

const hiddenInputs = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')

/** Only a form; a page of this server inserts it into itself and submits it. */
export const bareForm = (action: string, fields: Record<string, string>): HttpResponse =>
  withHeaders(html(`<form method="post" action="${escapeHtml(action)}">${hiddenInputs(fields)}</form>`), [
    'content-security-policy',
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  ])

/** A document that posts the response to the window that opened or framed it, only at `origin` (response_mode=web_message). */
export function webMessage(response: Record<string, string>, origin: string, nonce: string): HttpResponse {
  const message = scriptJson({ type: 'authorization_response', response })
  const body = `${head('Authorization response')}<body><script nonce="${nonce}">(function(){var target=window.opener||window.parent;if(target&&target!==window)target.postMessage(${message},${scriptJson(origin)})})()</script></body></html>`
  return withHeaders(html(body), ...scriptPolicy(nonce, origin))
}

const READABLE =
  ':root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}body{max-width:48rem;margin:auto;padding:1rem;overflow-wrap:anywhere}'

/** A document of the text alone: a section for each entry, whose name is its anchor. */
export function entriesPage(title: string, lead: string, entries: readonly Entry[], nonce: string): HttpResponse {
  const sections = entries.map(
    ({ name, says }) =>
      `<section id="${escapeHtml(name)}"><h2><a href="#${escapeHtml(name)}"><code>${escapeHtml(name)}</code></a></h2><p>${escapeHtml(says)}</p></section>`,
  )
  const style = `<style nonce="${nonce}">${READABLE}</style></head>`
  const body = `<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(lead)}</p>${sections.join('')}</main></body></html>`
  return withHeaders(html(head(title).replace('</head>', style) + body), ...stylePolicy(nonce))
}

type Entry = { name: string; says: string }

type Link = { title: string; url: string }

/** The API explorer with one document, and links to all of them. It reads no option from its address, and keeps no token. */
export function explorerPage(document: Link, links: readonly Link[], nonce: string): HttpResponse {
  const closed = { docExpansion: 'none', defaultModelsExpandDepth: -1, filter: true }
  const options = { url: document.url, dom_id: '#explorer', validatorUrl: null, persistAuthorization: false, ...closed }
  const anchors = links.map(({ title, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>`).join(' · ')
  const style = '<link rel="stylesheet" href="/reference/swagger-ui.css">'
  const scripts = `<script src="/reference/swagger-ui-bundle.js"></script><script nonce="${nonce}">SwaggerUIBundle(${scriptJson(options)})</script>`
  return html(
    `${head(document.title).replace('</head>', `${style}</head>`)}<body><nav>${anchors}</nav><main id="explorer"></main>${scripts}</body></html>`,
  )
}

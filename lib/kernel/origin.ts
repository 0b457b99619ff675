// The origin of a page (RFC 6454): what a browser sends in `Origin`, and what a message to the page names.
// - Pages of hybrid apps and of browsers' extensions have schemes of their own: `capacitor://localhost`,
//   `chrome-extension://<id>`. `URL.origin` is "null" for all of them, so their origin is the text of scheme, host and port.
// - Pages that have no origin of their own (`data:`, `blob:`, `file:`, a sandboxed frame) share the origin `null`, which is never one.
import { parseUrl } from './url'

/** `scheme://host`, with a port, before a path. Browsers write the scheme in small letters, and leave such a host as it is. */
const APP_PAGE = /^([a-z][a-z0-9+.-]*):\/\/[A-Za-z0-9._-]+(?::\d{1,5})?(?=[/?]|$)/

/** Schemes of the web and the system, whose pages have another origin or none. */
const NOT_OF_APPS = new Set(
  'http https ws wss ftp file filesystem data javascript vbscript blob about view-source content intent null'.split(
    ' ',
  ),
)

/** Null where the address is no page of the web or of an app. */
export const originOf = (url: string): string | null => webOriginOf(url) ?? appOriginOf(url)

export function webOriginOf(url: string): string | null {
  const parsed = parseUrl(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : null
}

function appOriginOf(url: string): string | null {
  const [origin, scheme] = APP_PAGE.exec(url) ?? []
  return origin !== undefined && scheme !== undefined && !NOT_OF_APPS.has(scheme) ? origin : null
}

/** Whether a text is the origin of an app's page, which nothing but a slash may follow. */
export const isAppOrigin = (text: string): boolean => {
  const origin = appOriginOf(text)
  return origin !== null && (text === origin || text === `${origin}/`)
}

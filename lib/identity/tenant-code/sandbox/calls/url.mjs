// Addresses as Node.js reads them (lib/identity/tenant-code/platform/url.js).
import { text as textOf } from './bounds.mjs'

const SETTABLE = new Set([
  ...['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'],
])

const partsOf = ({ href, origin, protocol, username, password, host, hostname, port, pathname, search, hash }) => ({
  ...{ href, origin, protocol, username, password, host, hostname, port, pathname, search, hash },
})

export const url = {
  'url.parse': ({ href, base }) =>
    partsOf(base === undefined ? new URL(textOf(href)) : new URL(textOf(href), textOf(base))),
  'url.set'({ href, name, value }) {
    const changed = new URL(textOf(href))
    if (SETTABLE.has(name)) changed[name] = textOf(value)
    return partsOf(changed)
  },
}

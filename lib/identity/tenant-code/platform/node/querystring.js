// https://nodejs.org/docs/latest-v22.x/api/querystring.html

const escapeText = (text) => encodeURIComponent(String(text))

function unescapeText(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return unescapeBytes(text)
  }
}

/** Leaves what is no escape as it is. */
const unescapeBytes = (text) =>
  text.replace(/(%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return '\ufffd'.repeat(run.length / 3)
    }
  })

const shown = (value) => {
  if (typeof value === 'string') return value
  return ['number', 'bigint', 'boolean'].includes(typeof value) && (typeof value !== 'number' || Number.isFinite(value))
    ? String(value)
    : ''
}

export function stringify(object, separator = '&', equals = '=', { encodeURIComponent: encode = escapeText } = {}) {
  if (object === null || typeof object !== 'object') return ''
  return Object.entries(object)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => `${encode(name)}${equals ?? '='}${encode(shown(one))}`),
    )
    .join(separator ?? '&')
}

export function parse(
  text,
  separator = '&',
  equals = '=',
  { maxKeys = 1000, decodeURIComponent: decode = unescapeText } = {},
) {
  const found = Object.create(null)
  if (typeof text !== 'string' || text === '') return found
  const parts = text.split(separator || '&')
  for (const part of maxKeys > 0 ? parts.slice(0, maxKeys) : parts) {
    if (part === '') continue
    const at = part.indexOf(equals || '=')
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + (equals || '=').length)]
    const [key, read] = [name, value].map((each) => decode(each.replace(/\+/g, ' ')))
    if (!(key in found)) found[key] = read
    else if (Array.isArray(found[key])) found[key].push(read)
    else found[key] = [found[key], read]
  }
  return found
}

export const querystring = {
  parse,
  stringify,
  decode: parse,
  encode: stringify,
  escape: escapeText,
  unescape: unescapeText,
}

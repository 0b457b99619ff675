// Reads multipart/form-data (RFC 7578). The host makes one character of each byte, and bytes of characters again.
import { bufferOf } from './bytes.js'

export function multipartReader(sys, { File, FormData, TextDecoder }) {
  const bytesOf = (text) => sys.call('buffer.encode', { text, encoding: 'latin1' })
  const utf8 = (text) => new TextDecoder().decode(bytesOf(text))

  return (bytes, type) => {
    const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type)?.slice(1).find(Boolean)
    const form = new FormData()
    if (!boundary) throw new TypeError('Failed to parse body as FormData.')
    const all = `\r\n${sys.call('buffer.decode', { encoding: 'latin1' }, bufferOf(bytes))}`
    const parts = all.split(`\r\n--${boundary}`)
    if (parts.length < 2 || !parts.at(-1).startsWith('--')) throw new TypeError('Failed to parse body as FormData.')
    for (const part of parts.slice(1, -1)) {
      const end = part.indexOf('\r\n\r\n')
      const head = utf8(part.slice(0, end))
      const content = part.slice(end + 4)
      const name = /\bname="([^"]*)"/i.exec(head)?.[1]
      const filename = /\bfilename="([^"]*)"/i.exec(head)?.[1]
      if (end < 0 || name === undefined) throw new TypeError('Failed to parse body as FormData.')
      const kind = /^content-type:\s*(.+)$/im.exec(head)?.[1].trim() ?? 'text/plain'
      if (filename === undefined) form.append(plain(name), utf8(content))
      else form.append(plain(name), new File([bytesOf(content)], plain(filename), { type: kind }))
    }
    return form
  }
}

const plain = (text) => text.replace(/%0D%0A/gi, '\r\n').replace(/%22/g, '"')

// Whether a certificate is for a host name, as Node.js judges it (lib/identity/tenant-code/platform/node/tls.js).
import { checkServerIdentity } from 'node:tls'
import { refuse, text } from './bounds.mjs'

const LONGEST = 65_536

function nameOf(name) {
  if (typeof name === 'string') return name.slice(0, 1000)
  return Array.isArray(name) ? name.slice(0, 100).map((each) => text(each).slice(0, 1000)) : undefined
}

export const tls = {
  'tls.identity'({ host, subject, subjectaltname }) {
    const names = subjectaltname === undefined ? undefined : text(subjectaltname, 'subjectaltname')
    if (text(host, 'host').length > 255 || (names?.length ?? 0) > LONGEST) refuse('the names are too long')
    const certificate = {
      subject: { CN: nameOf(subject?.CN) },
      ...(names === undefined ? {} : { subjectaltname: names }),
    }
    const fault = checkServerIdentity(host, certificate)
    return fault ? { message: fault.message, reason: fault.reason } : null
  },
}

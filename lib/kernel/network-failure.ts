// Says in words why a request to another server failed. Code, stores and counts know a failure by its code (of Node, OpenSSL, the mail
// client or this server); logs, pages, the API and commands show the words with the code.

/** What a person who waits for the answer may read: no more than that, because a request may have been made for a stranger. */
export type Unreached = 'host_unknown' | 'refused' | 'untrusted' | 'timeout'

type Failure = { words: string; codes: readonly string[]; shown?: Unreached }

const FAILURES: readonly Failure[] = [
  { words: 'its host name was not found', codes: ['ENOTFOUND', 'ENODATA', 'EDNS'], shown: 'host_unknown' },
  {
    words: 'its name server failed',
    codes: ['EAI_AGAIN', 'EAI_FAIL', 'ESERVFAIL', 'EREFUSED', 'ECANCELLED'],
    shown: 'host_unknown',
  },
  { words: 'it refused the connection', codes: ['ECONNREFUSED'], shown: 'refused' },
  { words: 'it closed the connection', codes: ['ECONNRESET', 'EPIPE', 'ECONNABORTED'] },
  { words: 'the connection to it failed', codes: ['ECONNECTION', 'ESOCKET'] },
  { words: 'there is no route to it', codes: ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'] },
  {
    words: 'it did not answer in time',
    codes: ['ETIMEDOUT', 'ETIMEOUT', 'ESOCKETTIMEDOUT', 'ABORT_ERR', 'AbortError', 'TimeoutError'],
    shown: 'timeout',
  },
  {
    words: 'its TLS certificate is not trusted here',
    codes: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_UNTRUSTED',
      'CERT_REJECTED',
      'CERT_REVOKED',
      'CERT_CHAIN_TOO_LONG',
      'CERT_SIGNATURE_FAILURE',
      'INVALID_CA',
      'INVALID_PURPOSE',
    ],
    shown: 'untrusted',
  },
  { words: 'its TLS certificate has expired', codes: ['CERT_HAS_EXPIRED'], shown: 'untrusted' },
  { words: 'its TLS certificate is not valid yet', codes: ['CERT_NOT_YET_VALID'], shown: 'untrusted' },
  {
    words: 'its TLS certificate is for another host name',
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
    shown: 'untrusted',
  },
  { words: 'it does not speak TLS on this port, or no version in common', codes: ['EPROTO'] },
  { words: 'TLS with it failed', codes: ['ETLS'] },
  {
    words: 'its address is not public; LATCHKEY_ALLOW_PRIVATE_TARGETS permits such addresses',
    codes: ['EFORBIDDENADDRESS'],
  },
  { words: 'its address is not https', codes: ['EPLAINHTTP'] },
  { words: 'its address is not one of the web', codes: ['EUNKNOWNSCHEME'] },
  { words: 'only the outgoing proxy knows its host name', codes: ['EUNJUDGED'] },
  { words: 'its answer is too large', codes: ['ETOOLARGE', 'HPE_HEADER_OVERFLOW'] },
  { words: 'the request to it is too large', codes: ['EREQUESTTOOLARGE'] },
  { words: 'an action may make no more requests in one run', codes: ['ETOOMANYREQUESTS'] },
  { words: 'an action that runs because an action called this tenant calls it no more', codes: ['ERECURSION'] },
  { words: 'it failed five times in a row, so this action does not ask it for half a minute', codes: ['EBREAKER'] },
  { words: 'actions send no mail: ports 25, 465 and 587 are closed to them', codes: ['EMAILPORT'] },
  { words: 'it is the own address of the tenant, which sockets do not reach; fetch does', codes: ['EOWNADDRESS'] },
  { words: 'it redirects, which the request does not follow any more', codes: ['EREDIRECT'] },
  { words: 'its answer is not HTTP', codes: ['HPE_INVALID_CONSTANT', 'HPE_INVALID_VERSION'] },
  { words: 'it refused the user name or the password', codes: ['EAUTH'] },
  { words: 'it refused the sender or the recipient', codes: ['EENVELOPE'] },
  { words: 'it refused the message', codes: ['EMESSAGE'] },
  { words: 'it did not speak SMTP as expected', codes: ['EPROTOCOL', 'ESMTP'] },
  { words: 'its settings are sealed with another LATCHKEY_SECRET', codes: ['UNREADABLE'] },
  { words: 'LATCHKEY_SMS_URL is not set', codes: ['ENOGATEWAY'] },
  { words: 'LATCHKEY_PHONE_SECRET is not set', codes: ['ENOSECRET'] },
  { words: 'no provider is set up for such messages', codes: ['ENOCHANNEL'] },
  { words: 'no action is deployed that delivers such messages', codes: ['ENOACTION'] },
  { words: 'the action that delivers such messages failed', codes: ['EACTION'] },
  { words: 'the action did not deliver the message', codes: ['EUNDELIVERED'] },
  { words: 'the code in the message has expired', codes: ['OVER'] },
  { words: 'it was not delivered within a day', codes: ['EXPIRED'] },
  { words: 'this server stopped while it was sent', codes: ['STOPPED'] },
  { words: 'this server met an unexpected condition', codes: ['UNEXPECTED'] },
]

const BY_CODE = new Map(FAILURES.flatMap((failure) => failure.codes.map((code) => [code, failure] as const)))

/** A status after the code is of the answer: `EAUTH 535`. */
const failureOf = (code: string): Failure | undefined => BY_CODE.get(code.split(' ', 1)[0] ?? '')

/** Such as `its host name was not found (ENOTFOUND)`. What is no code remains as it is. */
export function inWords(code: string): string {
  const proxy = /^EPROXY ?(.*)$/.exec(code)?.[1]
  if (proxy !== undefined)
    return `the outgoing proxy ${/^\d*$/.test(proxy) ? 'refused' : 'cannot be reached'} (${code})`
  const words = failureOf(code)?.words
  if (words !== undefined) return `${words} (${code})`
  return /^ERR_SSL_/.test(code)
    ? `TLS with it failed (${code})`
    : /^[A-Z][A-Z_\d]*$/.test(code)
      ? `it failed (${code})`
      : code
}

/** Null: nothing more than that it failed. */
export const unreachedBy = (code: string): Unreached | null => failureOf(code)?.shown ?? null

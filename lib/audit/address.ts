// Whether what somebody typed where an address or a name goes may be kept. People type passwords there too: only what has
// the form of a mail address or a phone number is (threat-model.md AU1).
const MAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/
const PHONE = /^\+\d{6,15}$/

export function addressOf(typed: string): string | null {
  const text = typed.trim().slice(0, 320)
  return MAIL.test(text) || PHONE.test(text) ? text.toLowerCase() : null
}

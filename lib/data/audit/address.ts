// Whether typed input for an address or a name may be logged. People type passwords into these fields too, so only input with the form of a
// mail address or a phone number is (threat-model.md AU1).
const MAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/
const PHONE = /^\+\d{6,15}$/

export function addressOf(typed: string): string | null {
  const text = typed.trim().slice(0, 320)
  return MAIL.test(text) || PHONE.test(text) ? text.toLowerCase() : null
}

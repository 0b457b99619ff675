// The form of a username at a database connection, as the vendor has it: lower-case letters, digits and a few signs, not
// an e-mail address (it would be taken for one), as long as the connection says.

const ALLOWED = /^[a-z0-9_+\-.!#^'$~@`]+$/
const ADDRESS = /^[^@]+@[^@]+$/

/** The stored form, or null when it is none. */
export function readUsername(value: string, { min, max }: { min: number; max: number }): string | null {
  const username = value.trim().toLowerCase()
  const fits = username.length >= min && username.length <= max
  return fits && ALLOWED.test(username) && !ADDRESS.test(username) ? username : null
}

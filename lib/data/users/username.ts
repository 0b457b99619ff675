// The form of a username at a database connection, as at the vendor: lower-case letters, digits and a few signs; not an e-mail
// address, which would be ambiguous; with the length that the connection sets.

const ALLOWED = /^[a-z0-9_+\-.!#^'$~@`]+$/
const ADDRESS = /^[^@]+@[^@]+$/

/** The stored form, or null if the input is no valid username. */
export function readUsername(value: string, { min, max }: { min: number; max: number }): string | null {
  const username = value.trim().toLowerCase()
  const fits = username.length >= min && username.length <= max
  return fits && ALLOWED.test(username) && !ADDRESS.test(username) ? username : null
}

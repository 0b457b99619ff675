// The sign-up form of a connection: its fields, and the submitted values.

import type { DatabaseConnection } from '../../data/connections/connection'
import { METADATA_LIMITS, type SignUpField } from '../../data/users/sign-up-fields'
import type { Parameters } from '../../kernel/parameters'

const MAX_NAME = 320
/** The prefix of custom fields; the standard fields are `email`, `username` and `password`. */
const PREFIX = 'field_'

export type SignUpForm = {
  email: string
  username: string
  password: string
  extra: Record<string, string>
  /** The names of required fields that are empty. */
  missing: string[]
}

export const extraFieldName = ({ name }: SignUpField): string => PREFIX + name

/** `invited` is the only address that may be signed up, whatever was typed. */
export function readSignUpForm(
  input: Parameters,
  { settings }: DatabaseConnection,
  invited: string | undefined,
): SignUpForm {
  const { requires_username, signup_fields } = settings.options
  const typed = (name: string, limit: number) => (input[name] ?? '').slice(0, limit).toWellFormed().trim()
  const entries = signup_fields.map((field) => ({ field, value: typed(extraFieldName(field), METADATA_LIMITS.value) }))
  const form = {
    email: invited ?? typed('email', MAX_NAME),
    username: requires_username ? typed('username', MAX_NAME) : '',
    password: input.password ?? '',
    extra: Object.fromEntries(
      entries.filter(({ value }) => value !== '').map(({ field, value }) => [field.name, value]),
    ),
  }
  const missing = [
    ...(form.email === '' ? ['email'] : []),
    ...(requires_username && form.username === '' ? ['username'] : []),
    ...(form.password === '' ? ['password'] : []),
    ...entries.filter(({ field, value }) => field.required && value === '').map(({ field }) => extraFieldName(field)),
  ]
  return { ...form, missing }
}

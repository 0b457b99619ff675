// The body of a server action, judged before Next decodes it: Next answers what it cannot decode with a 500. Only what browsers send
// for the forms of our own pages passes, so nothing else reaches the decoder (threat-model.md HT1, MG53).
// - With scripts: the header Next-Action names the action, `0` holds its arguments (the state of the form as flat JSON, and a
//   reference to the form), and each field is named `_<form>_<field>`.
// - Without: hidden fields `$ACTION_…` name the action and hold the same state beside the fields.
import type { RequestRefusal } from '../endpoints/refusals'

/** Next's own limit of a body, in bytes. */
const MAX_SIZE = 1024 * 1024
const ACTION_ID = /^[0-9a-f]{42}$/
/** 27 to 70 characters (HTML), as every browser writes it. */
const BOUNDARY = /^multipart\/form-data; ?boundary=([\w-]{27,70})$/

type Field = { name: string; value: string }

export async function actionRefusal(
  headers: Headers,
  readBody: () => Promise<ArrayBuffer>,
): Promise<RequestRefusal | null> {
  const [, boundary] = BOUNDARY.exec(headers.get('content-type') ?? '') ?? []
  if (boundary === undefined) return 'form-type'
  if (Number(headers.get('content-length') ?? 0) > MAX_SIZE) return 'form-size'
  const body = await readBody()
  if (body.byteLength > MAX_SIZE) return 'form-size'
  const fields = readFields(Buffer.from(body).toString('latin1'), boundary)
  if (fields === null) return 'form'
  const action = headers.get('next-action')
  return (action === null ? isPlainForm(fields) : ACTION_ID.test(action) && isScriptedForm(fields)) ? null : 'form'
}

/** Every part, one byte a character; null unless each is as a browser writes it (RFC 7578), so that no parser reads it otherwise. */
function readFields(text: string, boundary: string): Field[] | null {
  const [before, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`)
  const end = parts.pop()
  // Some parsers take the boundary for one in the midst of a line, where no browser writes it.
  const isAmbiguous = parts.some((part) => part.includes(boundary))
  const fields = parts.map(readField)
  const isEnded = before === '' && (end === '--' || end === '--\r\n')
  const isWhole = isEnded && !isAmbiguous && fields.every((field) => field !== null)
  return isWhole ? fields : null
}

/** A name in printable ASCII. A file, which no form of this server has, has another header. */
const HEADER = /^\r\nContent-Disposition: form-data; name="([ !#-~]*)"$/

function readField(part: string): Field | null {
  const head = part.indexOf('\r\n\r\n')
  const [, name] = HEADER.exec(part.slice(0, head)) ?? []
  return head < 0 || name === undefined ? null : { name, value: part.slice(head + 4) }
}

const SCRIPTED_FIELD = /^_[0-9a-f]+_/

function isScriptedForm(fields: readonly Field[]): boolean {
  const given = fields.filter(({ name }) => !SCRIPTED_FIELD.test(name))
  const [first] = given
  return given.length === 1 && first?.name === '0' && areArguments(first.value)
}

const BY_ID = '$ACTION_ID_'

/** One action: by its id, or as a reference with a state. Fields of the form have other names. */
function isPlainForm(fields: readonly Field[]): boolean {
  const own = fields.filter(({ name }) => name.startsWith('$ACTION_'))
  const [first = { name: '', value: '' }] = own
  if (first.name.startsWith(BY_ID)) return own.length === 1 && ACTION_ID.test(first.name.slice(BY_ID.length))
  const [, place] = /^\$ACTION_REF_(\d{1,4})$/.exec(first.name) ?? []
  if (place === undefined) return false
  const names = [first.name, `$ACTION_${place}:0`, `$ACTION_${place}:1`, '$ACTION_KEY']
  const [, reference = '', state = ''] = names.map((name) => own.find((field) => field.name === name)?.value)
  return (
    own.length === names.length &&
    names.every((name) => own.some((field) => field.name === name)) &&
    /^\{"id":"[0-9a-f]{42}","bound":"\$@1"\}$/.test(reference) &&
    areArguments(state)
  )
}

/** Flat values, which the decoder cannot follow anywhere. */
function areArguments(text: string): boolean {
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch {
    return false
  }
  return Array.isArray(values) && values.length <= 2 && values.every((value) => isFlat(value) || isState(value))
}

const isState = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isFlat)

/** A text that begins with `$` means something to the decoder: an escaped `$`, or a form. */
const isFlat = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && (!value.startsWith('$') || /^\$(?:\$|K[0-9a-f]{1,4}$)/.test(value)))

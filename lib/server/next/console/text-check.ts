// What is wrong with a text that a person types, before it is sent: the form of an address, a network or JSON. The operation judges
// everything else, and this too.
import { say } from '../../../text/console'
import type { Field, TextFormat } from './field'
import { readForm, UnreadableField } from './form-values'

const NETWORK =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}(?:\/(?:\d|[12]\d|3[0-2]))?|[\da-f:.]*:[\da-f:.]*(?:\/(?:\d{1,2}|1[01]\d|12[0-8]))?)$/i
const HOST = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)*[a-z\d](?:[a-z\d-]*[a-z\d])?$/i
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/i
const ADDRESS = /^[a-z][a-z\d+.-]*:\S+$/i
const MAIL = /^[^\s@]+@[^\s@]+$/

/** Of one line. */
const FITS: Readonly<Record<Exclude<TextFormat, 'certificate' | 'metadata'>, (text: string) => boolean>> = {
  address: (text) => ADDRESS.test(text),
  origin: (text) => ORIGIN.test(text),
  network: (text) =>
    NETWORK.test(text) && (text.includes(':') || text.split(/[./]/, 4).every((part) => Number(part) <= 255)),
  'e-mail': (text) => MAIL.test(text),
  host: (text) => HOST.test(text),
}

/** Null for a text that may be right. */
export function lineProblem(
  { kind, format, options }: Pick<Field, 'kind' | 'format' | 'options'>,
  text: string,
): string | null {
  if (kind === 'json' && options.length === 0) return jsonProblem(text)
  if (format === undefined || text.trim() === '') return null
  if (format === 'certificate') return isCertificate(text.trim()) ? null : say('format.certificate')
  if (format === 'metadata') return text.trim().startsWith('<') ? null : say('format.metadata')
  if (kind !== 'lines') return FITS[format](text.trim()) ? null : `“${text.trim()}” ${say(`format.${format}`)}.`
  const lines = text.split('\n').map((line) => line.trim())
  const wrong = lines.findIndex((line) => line !== '' && !FITS[format](line))
  const message = `“${lines[wrong]}” ${say(`format.${format}`)}.`
  return wrong < 0 ? null : say('form.line', { line: String(wrong + 1), message })
}

/** Or its base64, as metadata has it. */
const isCertificate = (text: string): boolean =>
  text.includes('-----BEGIN CERTIFICATE') || /^[A-Za-z\d+/=\s]{100,}$/.test(text)

function jsonProblem(text: string): string | null {
  try {
    readForm([['json:text', text]], null)
    return null
  } catch (error) {
    if (!(error instanceof UnreadableField)) throw error
    return error.place ? say('form.json.broken_at', error.place) : say('form.json.broken')
  }
}

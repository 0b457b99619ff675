// Formats of languages and regions, as Node.js has them (lib/identity/tenant-code/platform/intl.js).
// - The default language is the vendor's, not one of this machine.
// - Numbers and large integers cross as texts, dates as milliseconds.
import { text as textOf } from './bounds.mjs'

const LANGUAGE = 'en-US'
const MAX_FORMATS = 50

/** The least recently used first. @type {Map<string, any>} */
const formats = new Map()

const number = (value) => (typeof value === 'string' ? value : String(value))
const date = (value) => new Date(Number(value))
const unit = (value, name) => [Number(value), textOf(name)]
const list = (value) => [Array.from(value, (each) => textOf(each))]

const KINDS = {
  Collator: { make: Intl.Collator, compare: (a, b) => [textOf(a), textOf(b)] },
  DateTimeFormat: {
    make: Intl.DateTimeFormat,
    ...{ format: (value) => [date(value)], formatToParts: (value) => [date(value)] },
    ...{ formatRange: (a, b) => [date(a), date(b)], formatRangeToParts: (a, b) => [date(a), date(b)] },
  },
  DisplayNames: { make: Intl.DisplayNames, of: (code) => [textOf(code)] },
  ListFormat: { make: Intl.ListFormat, format: list, formatToParts: list },
  NumberFormat: {
    make: Intl.NumberFormat,
    ...{ format: (value) => [number(value)], formatToParts: (value) => [number(value)] },
    ...{ formatRange: (a, b) => [number(a), number(b)], formatRangeToParts: (a, b) => [number(a), number(b)] },
  },
  PluralRules: {
    make: Intl.PluralRules,
    ...{ select: (value) => [Number(value)], selectRange: (a, b) => [Number(a), Number(b)] },
  },
  RelativeTimeFormat: { make: Intl.RelativeTimeFormat, format: unit, formatToParts: unit },
}

function kindOf(kind) {
  if (!Object.hasOwn(KINDS, kind)) throw new TypeError(`there is no Intl.${kind} here`)
  return KINDS[kind]
}

function formatOf(kind, locales, options) {
  const key = JSON.stringify([kind, locales, options])
  const found = formats.get(key) ?? new (kindOf(kind).make)(locales ?? LANGUAGE, options)
  formats.delete(key)
  formats.set(key, found)
  if (formats.size > MAX_FORMATS) formats.delete(formats.keys().next().value)
  return found
}

export const intl = {
  'intl.options': ({ kind, locales, options }) => formatOf(kind, locales, options).resolvedOptions(),
  'intl.format'({ kind, locales, options, method, values }) {
    const of = kindOf(kind)
    if (method === 'make' || !Object.hasOwn(of, method)) throw new TypeError(`Intl.${kind} has no ${method}`)
    return formatOf(kind, locales, options)[method](...of[method](...values))
  },
  'intl.supported': ({ kind, locales, options }) => kindOf(kind).make.supportedLocalesOf(locales, options),
  'intl.locales': ({ locales }) => Intl.getCanonicalLocales(locales),
  'intl.values': ({ key }) => Intl.supportedValuesOf(textOf(key)),
  'intl.case': ({ text, locales, upper }) =>
    upper ? textOf(text).toLocaleUpperCase(locales) : textOf(text).toLocaleLowerCase(locales),
  'intl.locale'({ tag, options }) {
    const locale = new Intl.Locale(textOf(tag), options)
    const { baseName, language, script, region, calendar, collation, hourCycle, caseFirst, numeric, numberingSystem } =
      locale
    return {
      ...{ baseName, language, script, region, calendar, collation, hourCycle, caseFirst, numeric, numberingSystem },
      ...{ tag: locale.toString(), maximal: locale.maximize().toString(), minimal: locale.minimize().toString() },
    }
  },
}

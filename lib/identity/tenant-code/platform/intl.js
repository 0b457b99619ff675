// Formats of languages and regions: each asks the host, which has the data. Numbers cross as texts, dates as milliseconds.

const METHODS = {
  Collator: ['compare'],
  DateTimeFormat: ['format', 'formatToParts', 'formatRange', 'formatRangeToParts'],
  DisplayNames: ['of'],
  ListFormat: ['format', 'formatToParts'],
  NumberFormat: ['format', 'formatToParts', 'formatRange', 'formatRangeToParts'],
  PluralRules: ['select', 'selectRange'],
  RelativeTimeFormat: ['format', 'formatToParts'],
}
/** Getters of a bound function, such as for `array.map(format.format)`. */
const BOUND = { Collator: 'compare', DateTimeFormat: 'format', NumberFormat: 'format' }
const NEEDS_NEW = new Set(['DisplayNames', 'ListFormat', 'PluralRules', 'RelativeTimeFormat'])

function milliseconds(value) {
  const time = value === undefined ? Date.now() : Number(value)
  if (!Number.isFinite(time)) throw new RangeError('Invalid time value')
  return time
}

function amount(value) {
  if (typeof value === 'bigint') return value.toString()
  return Object.is(value, -0) ? '-0' : String(typeof value === 'string' ? value.trim() : Number(value))
}

const CROSSING = {
  Collator: (values) => [String(values[0]), String(values[1])],
  DateTimeFormat: (values) => values.map(milliseconds),
  DisplayNames: ([code]) => [String(code)],
  ListFormat: ([list]) => [Array.from(list ?? [])],
  NumberFormat: (values) => values.map(amount),
  PluralRules: (values) => values.map(Number),
  RelativeTimeFormat: ([value, unit]) => [Number(value), String(unit)],
}

export function intl(sys) {
  const localesOf = (given) => {
    if (given === undefined) return undefined
    return typeof given === 'string' ? given : Array.from(given instanceof Locale ? [given] : given, String)
  }
  const ask = (name, args) => sys.call(name, JSON.parse(JSON.stringify(args)))

  function make(kind) {
    const own = new WeakMap()
    function Format(locales, options) {
      if (!new.target) {
        if (NEEDS_NEW.has(kind)) throw new TypeError(`Constructor Intl.${kind} requires 'new'`)
        return new Format(locales, options)
      }
      const given = { kind, locales: localesOf(locales), options }
      own.set(this, { given, resolved: ask('intl.options', given), bound: null })
    }
    const run = (format, method, values) =>
      ask('intl.format', { ...own.get(format).given, method, values: CROSSING[kind](values) })
    const define = (name, descriptor) =>
      Object.defineProperty(Format.prototype, name, { configurable: true, enumerable: false, ...descriptor })
    const takes = (method, values) => {
      if (kind === 'DateTimeFormat' && !method.includes('Range')) return [values[0]]
      return kind === 'NumberFormat' && !method.includes('Range') ? [values[0]] : values
    }
    for (const method of METHODS[kind]) {
      if (BOUND[kind] === method)
        define(method, {
          get() {
            const held = own.get(this)
            held.bound ??= (...values) => run(this, method, takes(method, values))
            return held.bound
          },
        })
      else
        define(method, {
          writable: true,
          value(...values) {
            return run(this, method, takes(method, values))
          },
        })
    }
    define('resolvedOptions', {
      writable: true,
      value() {
        return { ...own.get(this).resolved }
      },
    })
    define(Symbol.toStringTag, { value: `Intl.${kind}` })
    Object.defineProperty(Format, 'name', { value: kind })
    Format.supportedLocalesOf = (locales, options) =>
      ask('intl.supported', { kind, locales: localesOf(locales) ?? [], options })
    return Format
  }

  class Locale {
    #given
    constructor(tag, options) {
      this.#given = ask('intl.locale', { tag: String(tag), options })
      for (const name of ['baseName', 'calendar', 'collation', 'hourCycle', 'caseFirst', 'numeric', 'numberingSystem'])
        Object.defineProperty(this, name, { value: this.#given[name], configurable: true })
      for (const name of ['language', 'script', 'region'])
        Object.defineProperty(this, name, { value: this.#given[name], configurable: true })
    }
    maximize() {
      return new Locale(this.#given.maximal)
    }
    minimize() {
      return new Locale(this.#given.minimal)
    }
    toString() {
      return this.#given.tag
    }
    get [Symbol.toStringTag]() {
      return 'Intl.Locale'
    }
  }

  const formats = { Locale }
  for (const kind of Object.keys(METHODS)) formats[kind] = make(kind)
  formats.getCanonicalLocales = (locales) => ask('intl.locales', { locales: localesOf(locales) ?? [] })
  formats.supportedValuesOf = (key) => ask('intl.values', { key: String(key) })
  Object.defineProperty(formats, Symbol.toStringTag, { value: 'Intl', configurable: true })
  localize(formats, {
    inCase: (text, locales, upper) => ask('intl.case', { text, locales: localesOf(locales), upper }),
    compare: (a, b, locales, options) =>
      a === b
        ? 0
        : ask('intl.format', {
            ...{ kind: 'Collator', locales: localesOf(locales), options },
            ...{ method: 'compare', values: [a, b] },
          }),
  })
  return { Intl: formats }
}

/** The methods of the language that depend on a locale. */
function localize({ DateTimeFormat, NumberFormat }, { compare, inCase }) {
  const method = (prototype, name, value) =>
    Object.defineProperty(prototype, name, { configurable: true, enumerable: false, writable: true, value })
  const DATE = { year: 'numeric', month: 'numeric', day: 'numeric' }
  const TIME = { hour: 'numeric', minute: 'numeric', second: 'numeric' }
  const isDate = (options) =>
    ['weekday', 'year', 'month', 'day', 'dateStyle'].some((name) => options[name] !== undefined)
  const isTime = (options) =>
    ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits', 'timeStyle'].some(
      (name) => options[name] !== undefined,
    )
  const shown = (date, locales, options) =>
    Number.isNaN(date.getTime()) ? 'Invalid Date' : new DateTimeFormat(locales, options).format(date)

  method(Date.prototype, 'toLocaleString', function shownIn(locales, options = {}) {
    return shown(this, locales, isDate(options) || isTime(options) ? options : { ...options, ...DATE, ...TIME })
  })
  method(Date.prototype, 'toLocaleDateString', function toLocaleDateString(locales, options = {}) {
    return shown(this, locales, isDate(options) ? options : { ...options, ...DATE })
  })
  method(Date.prototype, 'toLocaleTimeString', function toLocaleTimeString(locales, options = {}) {
    return shown(this, locales, isTime(options) ? options : { ...options, ...TIME })
  })
  for (const { prototype } of [Number, BigInt])
    method(prototype, 'toLocaleString', function shownIn(locales, options) {
      return new NumberFormat(locales, options).format(this.valueOf())
    })
  method(Array.prototype, 'toLocaleString', function shownIn(locales, options) {
    return Array.from(this, (each) => each?.toLocaleString(locales, options) ?? '').join(',')
  })
  method(String.prototype, 'localeCompare', function localeCompare(that, locales, options) {
    return compare(String(this), String(that), locales, options)
  })
  const lower = String.prototype.toLowerCase
  const upper = String.prototype.toUpperCase
  method(String.prototype, 'toLocaleLowerCase', function toLocaleLowerCase(locales) {
    return locales === undefined ? lower.call(this) : inCase(String(this), locales, false)
  })
  method(String.prototype, 'toLocaleUpperCase', function toLocaleUpperCase(locales) {
    return locales === undefined ? upper.call(this) : inCase(String(this), locales, true)
  })
}

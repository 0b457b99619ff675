// Values as text, as Node.js shows them (https://nodejs.org/docs/latest-v22.x/api/util.html#utilinspectobject-options).

export const custom = Symbol.for('nodejs.util.inspect.custom')

const LINE = 72
const DEFAULTS = {
  depth: 2,
  maxArrayLength: 100,
  maxStringLength: 10_000,
  showHidden: false,
  breakLength: 80,
  compact: 3,
}

export function inspect(value, options = {}, depth = undefined) {
  const given = typeof options === 'object' && options !== null ? options : { showHidden: options, depth }
  const context = { ...DEFAULTS, ...given, seen: [], circular: new Map(), stylize: (text) => text }
  if (context.depth === null) context.depth = Number.POSITIVE_INFINITY
  return show(value, context, 0)
}
inspect.custom = custom
inspect.defaultOptions = DEFAULTS
inspect.colors = {}
inspect.styles = {}

export function quoted(text) {
  const quote = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes('`') ? '`' : "'"
  const escaped = text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
    /[\\\0-\x1f\x7f]/g,
    (mark) => ESCAPES[mark] ?? `\\x${mark.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
  return quote + (quote === "'" ? escaped.replace(/'/g, "\\'") : escaped) + quote
}
const ESCAPES = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r', '\b': '\\b', '\f': '\\f', '\v': '\\v' }

function primitive(value, context) {
  if (typeof value === 'string') {
    const more = value.length - context.maxStringLength
    return more > 0 ? `${quoted(value.slice(0, context.maxStringLength))}... ${more} more characters` : quoted(value)
  }
  if (typeof value === 'bigint') return `${value}n`
  return Object.is(value, -0) ? '-0' : String(value)
}

function nameOf(value) {
  for (let at = value; at; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, 'constructor')?.value
    if (typeof found === 'function' && found.name !== '') return found.name
  }
  return null
}

function functionText(value) {
  if (/^class\b/.test(Function.prototype.toString.call(value))) return `[class ${value.name || '(anonymous)'}]`
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  return value.name ? `[${kind}: ${value.name}]` : `[${kind} (anonymous)]`
}

/** The interpreter's stack does not begin with the message. */
function errorText(error) {
  const head = error.message ? `${error.name}: ${error.message}` : String(error.name)
  const stack = typeof error.stack === 'string' ? error.stack.replace(/\n+$/, '') : ''
  if (stack === '') return `[${head}]`
  return stack.startsWith(head) ? stack : `${head}\n${stack}`
}

const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1)

function show(value, context, level) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return primitive(value, context)
  if (typeof value[custom] === 'function' && value[custom] !== inspect) {
    const { seen: _seen, circular: _circular, ...options } = context
    const made = value[custom](context.depth - level, { ...options, depth: context.depth - level }, inspect)
    return typeof made === 'string' ? made : show(made, context, level, false)
  }
  if (context.seen.includes(value)) {
    if (!context.circular.has(value)) context.circular.set(value, context.circular.size + 1)
    return `[Circular *${context.circular.get(value)}]`
  }
  context.seen.push(value)
  const text = body(value, context, level)
  context.seen.pop()
  const number = context.circular.get(value)
  return number ? `<ref *${number}> ${text}` : text
}

function body(value, context, level) {
  const name = nameOf(value)
  const tag = tagOf(value)
  const deeper = (each) => show(each, context, level + 1)
  const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && tag !== 'DataView')
  let prefix =
    name === null ? '[Object: null prototype] ' : name === 'Object' || (name === 'Array' && isList) ? '' : `${name} `
  const parts = []
  const most = context.maxArrayLength ?? Number.POSITIVE_INFINITY
  const listed = (values, size) => {
    let count = 0
    for (const each of values) {
      if (count >= most) break
      parts.push(each)
      count += 1
    }
    if (size > most) parts.push(`... ${size - most} more item${size - most === 1 ? '' : 's'}`)
  }
  let base = ''
  if (typeof value === 'function') base = functionText(value)
  else if (value instanceof Error || tag === 'Error') base = errorText(value)
  else if (tag === 'Date') base = Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  else if (tag === 'RegExp') base = String(value)
  else if (['Number', 'String', 'Boolean', 'Symbol', 'BigInt'].includes(tag) && typeof value.valueOf() !== 'object')
    base = `[${tag}: ${primitive(value.valueOf(), context)}]`
  const tooDeep = level > context.depth
  if (tooDeep && base === '') return `[${isList && name === 'Array' ? 'Array' : (name ?? 'Object: null prototype')}]`
  if (isList) {
    if (name !== 'Array') prefix = `${name}(${value.length}) `
    listed(elements(value, deeper, most), value.length)
  } else if (tag === 'Map') {
    prefix = `${name}(${value.size}) `
    listed(
      mapped(value, ([key, each]) => `${deeper(key)} => ${deeper(each)}`),
      value.size,
    )
  } else if (tag === 'Set') {
    prefix = `${name}(${value.size}) `
    listed(mapped(value, deeper), value.size)
  } else if (tag === 'ArrayBuffer') {
    const bytes = new Uint8Array(value)
    const hex = [...bytes.subarray(0, 50)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    parts.push(`[Uint8Contents]: <${hex}${bytes.length > 50 ? ' ...' : ''}>`, `byteLength: ${bytes.length}`)
  } else if (tag === 'Promise') parts.push('<pending>')
  else if (tag === 'WeakMap' || tag === 'WeakSet') parts.push('<items unknown>')
  parts.push(...properties(value, context, level, isList || base !== ''))
  if (base !== '' && parts.length === 0) return base
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (base !== '') prefix = `${base} `
  if (prefix === '' && parts.length === 0) return open + close
  return prefix + joined(parts, open, close, level, context)
}

function* mapped(values, how) {
  for (const each of values) yield how(each)
}

function* elements(list, deeper, most) {
  for (let at = 0; at < Math.min(list.length, most); at += 1) {
    if (Object.hasOwn(list, at)) yield deeper(list[at])
    else {
      let empty = 1
      while (at + empty < list.length && !Object.hasOwn(list, at + empty)) empty += 1
      yield `<${empty} empty item${empty === 1 ? '' : 's'}>`
      at += empty - 1
    }
  }
}

const HIDDEN_OF_ERRORS = ['stack', 'message', 'name']

function properties(value, context, level, hasIndexes) {
  const isError = value instanceof Error
  const keys = Reflect.ownKeys(value).filter((key) => {
    const { enumerable } = Object.getOwnPropertyDescriptor(value, key)
    if (isError && key === 'cause') return true
    if (isError && HIDDEN_OF_ERRORS.includes(key)) return false
    if (hasIndexes && typeof key === 'string' && /^\d+$/.test(key) && !isError) return false
    return enumerable || (context.showHidden && key !== 'length')
  })
  return keys.map((key) => {
    const { get, set, value: own } = Object.getOwnPropertyDescriptor(value, key)
    const shown = get ? (set ? '[Getter/Setter]' : '[Getter]') : set ? '[Setter]' : show(own, context, level + 1)
    const name =
      typeof key === 'symbol'
        ? `[${String(key)}]`
        : isError && key === 'cause'
          ? '[cause]'
          : /^[A-Za-z_$][\w$]*$/.test(key)
            ? key
            : quoted(key)
    return `${name}: ${shown}`
  })
}

function joined(parts, open, close, level, { breakLength }) {
  const length = parts.reduce((sum, part) => sum + part.length + 2, open.length + level)
  const inner = '  '
  if (parts.length === 0) return `${open}${close}`
  if (length <= Math.min(LINE, breakLength ?? LINE) && !parts.some((part) => part.includes('\n')))
    return `${open} ${parts.join(', ')} ${close}`
  return `${open}\n${parts.map((part) => inner + part.replace(/\n/g, `\n${inner}`)).join(',\n')}\n${close}`
}

export function format(...args) {
  return formatWithOptions({}, ...args)
}

export function formatWithOptions(options, first, ...rest) {
  const shown = (value) => (typeof value === 'string' ? value : inspect(value, options))
  if (typeof first !== 'string')
    return [first, ...rest]
      .slice(first === undefined && rest.length === 0 ? 1 : 0)
      .map(shown)
      .join(' ')
  let used = 0
  const text = first.replace(/%[sdifjoOc%]/g, (mark) => {
    if (mark === '%%') return rest.length > 0 ? '%' : '%%'
    if (used >= rest.length) return mark
    const value = rest[used]
    used += 1
    return FORMATS[mark[1]](value, options)
  })
  return [text, ...rest.slice(used).map(shown)].join(' ')
}

const numeric = (read) => (value) => {
  if (typeof value === 'bigint') return `${value}n`
  return typeof value === 'symbol' ? 'NaN' : primitive(read(value), DEFAULTS)
}
const FORMATS = {
  s: (value, options) => {
    if (typeof value === 'string') return value
    if (typeof value === 'object' && value !== null && value.toString === Object.prototype.toString)
      return inspect(value, { ...options, depth: 0 })
    if (Array.isArray(value)) return inspect(value, { ...options, depth: 0 })
    return typeof value === 'bigint' || Object.is(value, -0) ? primitive(value, DEFAULTS) : String(value)
  },
  d: numeric(Number),
  i: numeric((value) => Number.parseInt(value, 10)),
  f: numeric((value) => Number.parseFloat(value)),
  j: (value) => {
    try {
      return JSON.stringify(value)
    } catch (error) {
      if (/circular/i.test(error.message)) return '[Circular]'
      throw error
    }
  },
  o: (value, options) => inspect(value, { ...options, showHidden: true, depth: 4 }),
  O: (value, options) => inspect(value, options),
  c: () => '',
}

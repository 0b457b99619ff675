// Liquid for the templates of a tenant's mails: the tags and filters that the vendor documents, without files, and bounded.
// - What a template inserts is escaped as HTML once, whether or not the template does so itself; `raw` leaves it as it is.
// - A template names only own properties of the values that it is given.
import { Context, Drop, Liquid, type Template, toValueSync } from 'liquidjs'

const TAGS = new Set(
  'assign for case comment decrement cycle if increment raw tablerow unless break continue #'.split(' '),
)
const FILTERS = new Set(
  [
    'plus minus modulo times floor ceil round divided_by abs at_least at_most append prepend capitalize upcase downcase',
    'strip lstrip rstrip strip_newlines split replace replace_first remove remove_first truncate truncatewords escape',
    'escape_once url_encode url_decode strip_html newline_to_br slice map sort sort_natural uniq where last first join',
    'reverse concat compact size push date default raw json',
  ].flatMap((line) => line.split(' ')),
)

const MAX_OUTPUT = 500_000
const LIMITS = {
  parseLimit: 200_000,
  /** Values and iterations, in liquidjs's units. */
  memoryLimit: 200_000,
  /** Milliseconds; ends what the other limits do not count. */
  renderLimit: 500,
}

/** A template renders plain data. */
export type TemplateScope = Readonly<Record<string, unknown>>
export type Compiled = (scope: TemplateScope) => string

class Html {
  constructor(readonly source: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}

/** Entities stay: a template may have escaped the value itself. */
export const escapeOnce = (text: string): string =>
  text.replace(/&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,31});)|[<>"']/gi, (character) => ENTITIES[character] ?? '')

class NamedDrop extends Drop {
  constructor(
    private readonly text: string,
    members: TemplateScope,
  ) {
    super()
    Object.assign(this, members)
  }

  override valueOf(): string {
    return this.text
  }
}

/** A text that has members: `{{ tenant }}` and `{{ tenant.friendly_name }}`. */
export const named = (text: string, members: TemplateScope): unknown =>
  new Proxy(new NamedDrop(text, members), {
    get: (drop, member) =>
      typeof member === 'symbol' || Object.hasOwn(members, member) || DROP_MEMBERS.has(member)
        ? Reflect.get(drop, member)
        : undefined,
  })

/** What liquidjs calls. */
const DROP_MEMBERS: ReadonlySet<string> = new Set(['valueOf', 'liquidMethodMissing', 'text'])

const textOf = (given: unknown): string => {
  const value = given instanceof Drop ? given.valueOf() : given
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function createEngine(format: 'html' | 'text'): Liquid {
  const engine = new Liquid({
    ...LIMITS,
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    timezoneOffset: 0,
    ...(format === 'html'
      ? { outputEscape: (value: unknown) => (value instanceof Html ? value.source : escapeOnce(textOf(value))) }
      : {}),
  })
  for (const name of Object.keys(engine.tags)) if (!TAGS.has(name)) delete engine.tags[name]
  for (const name of Object.keys(engine.filters)) if (!FILTERS.has(name)) delete engine.filters[name]
  if (format === 'html')
    engine.registerFilter('newline_to_br', (value) => new Html(escapeOnce(textOf(value)).replace(/\r?\n/g, '<br />\n')))
  return engine
}

const engines = { html: createEngine('html'), text: createEngine('text') }

/** Throws where the source is no template. */
export function compile(source: string, format: 'html' | 'text'): Compiled {
  const engine = engines[format]
  const templates = engine.parse(source)
  return (scope) => render(engine, templates, scope)
}

function render(engine: Liquid, templates: Template[], scope: TemplateScope): string {
  const emitter = {
    buffer: '',
    write(part: unknown) {
      this.buffer += textOf(part)
      if (this.buffer.length > MAX_OUTPUT) throw new Error('output limit exceeded')
    },
  }
  const context = new Context(scope, engine.options, { sync: true })
  toValueSync(engine.renderer.renderTemplates(templates, context, emitter as never))
  return emitter.buffer
}

/** What is wrong with a source, in one line; null if it is a template. */
export function faultOf(source: string): string | null {
  try {
    compile(source, 'html')
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 200) ?? ''

// HTML templates for mails: every interpolated value is escaped unless it is HTML from this template (threat-model.md DB7). No
// value is evaluated as code.

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

class SafeHtml {
  constructor(readonly source: string) {}
}

export type { SafeHtml }

type Value = string | SafeHtml | readonly SafeHtml[]

export function html(strings: TemplateStringsArray, ...values: Value[]): SafeHtml {
  const parts = strings.map((part, index) => part + (index < values.length ? sourceOf(values[index] ?? '') : ''))
  return new SafeHtml(parts.join(''))
}

function sourceOf(value: Value): string {
  if (value instanceof SafeHtml) return value.source
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
  return value.map((item) => item.source).join('')
}

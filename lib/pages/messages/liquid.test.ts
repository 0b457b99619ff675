import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile, escapeOnce, faultOf } from './liquid'

const html = (source: string, scope = {}) => compile(source, 'html')(scope)

describe('a template', () => {
  it('has values, conditions and loops', () => {
    const source =
      "{% if user.lang == 'it' %}Ciao{% else %}Hi{% endif %} {{ user.name | upcase }}{% for i in (1..3) %}{{ i }}{% endfor %}"
    expect(html(source, { user: { lang: 'it', name: 'kim' } })).toBe('Ciao KIM123')
  })

  it('escapes what it inserts once', () => {
    const scope = { name: '<b>"&\'</b>\n!' }
    const escaped = '&lt;b&gt;&#34;&amp;&#39;&lt;/b&gt;\n!'
    expect(html('{{ name }}', scope)).toBe(escaped)
    expect(html('{{ name | escape }}', scope)).toBe(escaped)
    expect(html('{% assign x = name | append: name %}{{ x }}', scope)).toBe(escaped + escaped)
    expect(html('{{ name | newline_to_br }}', scope)).toBe(escaped.replace('\n', '<br />\n'))
    expect(html('{{ name | raw }}', scope)).toBe(scope.name)
    expect(compile('{{ name }}', 'text')(scope)).toBe(scope.name)
  })

  it('lets no value become markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '&', ';', '#', '"', 'l', 't', 'x', '3', "'") }), (name) => {
        for (const source of ['{{ name }}', '{{ name | escape }}', '{{ name | newline_to_br }}'])
          expect(html(source, { name }).replaceAll('<br />', '')).not.toMatch(/[<>"']/)
      }),
    )
    expect(escapeOnce('&amp; & &#39;')).toBe('&amp; &amp; &#39;')
  })

  it('names own properties alone', () => {
    const scope = { user: { name: 'Kim' } }
    expect(html('{{ user.constructor.name }}{{ constructor }}{{ user.__proto__ }}', scope)).toBe('')
  })

  it.each([
    ['no end', '{% if x %}'],
    ['a tag that does not exist', '{% script %}'],
    ['a filter that does not exist', '{{ x | shout }}'],
    ['an open output', '{{ x'],
    ['another file', "{% include '/etc/passwd' %}"],
    ['a layout', "{% layout 'base' %}"],
    ['a partial', "{% render 'part' %}"],
    ['too many characters', 'x'.repeat(200_001)],
  ])('is refused for %s', (_what, source) => {
    expect(faultOf(source)).toMatch(/^.{1,200}$/)
  })

  it.each([
    ['a long loop', '{% for i in (1..100000000) %}x{% endfor %}'],
    ['loops in loops', '{% for i in (1..1000) %}{% for j in (1..1000) %}{% endfor %}{% endfor %}'],
    ['a value that doubles', `{% assign x = 'xxxxxxxx' %}${'{% assign x = x | append: x %}'.repeat(40)}`],
    ['much output', `{% for i in (1..1000) %}${'x'.repeat(1000)}{% endfor %}`],
  ])('ends at %s', (_what, source) => {
    expect(faultOf(source)).toBeNull()
    expect(() => html(source)).toThrow('limit exceeded')
  })
})

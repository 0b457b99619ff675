import { describe, expect, it } from 'vitest'
import { decodeEntities } from './entities'

describe('a character reference', () => {
  it.each([
    ['Gr&uuml;&szlig;e', 'Grüße'],
    ['&Auml;&ouml;&ntilde;&eacute;&ccedil;', 'Äöñéç'],
    ['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
    ['&AMP;&LT;&Aacute;&aacute;', '&<Áá'],
    ['&ndash;&mdash;&hellip;&euro;&copy;&trade;&rarr;', '–—…€©™→'],
    ['&CounterClockwiseContourIntegral;&NotEqualTilde;&frac12;', '∳≂̸½'],
    ['&#252;&#xFC;&#XfC;&#128512;', 'üüü😀'],
    ['&#150;&#x80;', '–€'],
    ['&#0;&#xD800;&#1114112;&#999999999;', '\ufffd\ufffd\ufffd\ufffd'],
  ])('the text %s is decoded as %s', (text, decoded) => {
    expect(decodeEntities(text)).toBe(decoded)
  })

  it.each(['&amp', 'A & B; C', '&nosuchname;', '&constructor;', '&#;', '&#x;', '&#xyz;', '&;'])('is not %s', (text) => {
    expect(decodeEntities(text)).toBe(text)
  })

  it('is read once', () => {
    expect(decodeEntities('&amp;uuml; &amp;amp;')).toBe('&uuml; &amp;')
  })
})

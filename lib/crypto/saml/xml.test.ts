import { generateKeyPairSync } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { DOMParser } from '@xmldom/xmldom'
import { describe, expect, it, vi } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { REQUEST } from './limits'
import { parseXml } from './parse'
import { decodeMessage } from './transport'
import { verifiedRoot } from './verify'
import { attributeOf, childOf, elementsOf, textOf } from './xml'

const refused = /Invalid SAML message/

describe('a well-formed document', () => {
  it.each([
    ['a plain document', '<a xmlns="urn:x" b="1"><c>text</c></a>'],
    ['a declaration', '<?xml version="1.0" encoding="UTF-8"?>\n<a><c>text</c></a>'],
    ['a byte order mark', '\uFEFF<?xml version="1.0"?><a><c>text</c></a>'],
    ['space around the root', '  <a><c>text</c></a>\n'],
    ['entities and character references', '<a b="&quot;&#x41;"><c>t&#101;xt</c></a>'],
  ])('the parser reads %s', (_, source) => {
    const root = parseXml(source)
    expect(root.localName).toBe('a')
    expect(elementsOf(root).map((element) => element.localName)).toEqual(['a', 'c'])
    const child = childOf(root, root.namespaceURI ?? '', 'c') ?? elementsOf(root)[1]
    expect(child && textOf(child)).toBe('text')
  })

  it('the parser decodes the values of entities', () => {
    const root = parseXml('<a b="&quot;&#x41;&amp;amp;">&lt;b&gt;</a>')
    expect([attributeOf(root, 'b'), textOf(root)]).toEqual(['"A&amp;', '<b>'])
  })
})

describe('a refused document', () => {
  it.each([
    ['a DTD', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['a DTD after the declaration', '<?xml version="1.0"?><!DOCTYPE a><a/>'],
    ['a comment', '<a>ki<!---->m</a>'],
    ['a comment outside', '<!-- --><a/>'],
    ['a processing instruction', '<a>ki<?x y?>m</a>'],
    ['a second declaration', '<?xml version="1.0"?><?xml version="1.0"?><a/>'],
    ['CDATA', '<a><![CDATA[b]]></a>'],
    ['an entity of its own', '<a>&x;</a>'],
    ['a lone ampersand', '<a>b & c</a>'],
    ['a reference to NUL', '<a>&#0;</a>'],
    ['a reference to half a pair', '<a>&#xD800;</a>'],
    ['a reference beyond Unicode', '<a>&#x110000;</a>'],
    ['a control character', '<a>\u0001</a>'],
    ['another encoding', '<?xml version="1.0" encoding="UTF-16"?><a/>'],
    ['XML 1.1', '<?xml version="1.1"?><a/>'],
    ['two roots', '<a/><b/>'],
    ['text beside the root', '<a/>b'],
    ['nothing', ''],
    ['no XML', 'hello'],
    ['an open tag', '<a><b></a>'],
    ['an end too many', '<a></a></b>'],
    ['an attribute without quotes', '<a b=c/>'],
    ['an attribute without a value', '<a b/>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['a prefix without a namespace', '<x:a/>'],
    ['depth', `${'<a>'.repeat(60)}${'</a>'.repeat(60)}`],
    ['depth that would end a stack', `${'<a>'.repeat(3900)}${'</a>'.repeat(3900)}`],
    ['too many elements', `<a>${'<b/>'.repeat(9000)}</a>`],
    ['too many namespaces', `<a>${'<b xmlns:c="d"/>'.repeat(900)}</a>`],
    ['size', `<a>${'b'.repeat(200_000)}</a>`],
  ])('the parser refuses %s', (_, source) => {
    expect(() => parseXml(source)).toThrow(refused)
  })

  it('the parser refuses a child that is there twice', () => {
    expect(() => childOf(parseXml('<a xmlns="x"><b/><b/></a>'), 'x', 'b')).toThrow(refused)
  })

  it('the parser refuses elements where text belongs', () => {
    expect(() => textOf(parseXml('<a>k<b/>im</a>'))).toThrow(refused)
  })

  it.each(['<a>', '<a xmlns:b="c">', '<a b="', '</', '&lt;', '<a/>', '"<', "'"])(
    'the parser refuses many repetitions of %s',
    (piece) => {
      expect(() => parseXml(piece.repeat(Math.floor(199_000 / piece.length)))).toThrow(refused)
    },
  )
})

describe('what would take long is refused before it is parsed or verified (BF13)', () => {
  const many = (count: number, of: (index: number) => string): string =>
    Array.from({ length: count }, (_, i) => of(i)).join('')
  const costly: [string, string][] = [
    ['many elements', `<a>${'<b/>'.repeat(310)}</a>`],
    ['many attributes', `<a>${`<b ${many(100, (i) => ` a${i}=''`)}/>`.repeat(11)}</a>`],
    ['many namespaces', `<a ${many(101, (i) => ` xmlns:n${i}="u"`)}/>`],
    ['namespaces in the scope of many', `<a ${many(90, (i) => ` xmlns:n${i}="u"`)}>${'<b/>'.repeat(90)}</a>`],
    ['much text', `<a>${'x'.repeat(33_000)}</a>`],
    ['many entities', `<a>${'&lt;'.repeat(8_100)}</a>`],
  ]
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey

  it.each(costly)('a document is refused before the parser runs: %s', (_, content) => {
    const parse = vi.spyOn(DOMParser.prototype, 'parseFromString')
    const check = vi.spyOn(SignedXml.prototype, 'checkSignature')
    expect(() => parseXml(content, REQUEST)).toThrow(refused)
    expect(() => verifiedRoot(content, [key], REQUEST)).toThrow(refused)
    expect([parse, check].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
    expect(() => parseXml(content)).not.toThrow()
    expect(parse).toHaveBeenCalledTimes(1)
    vi.restoreAllMocks()
  })

  it('an answer of an identity provider is accepted with hundreds of values, each with its own namespaces', () => {
    const value = '<v xmlns:xs="urn:s" xmlns:xsi="urn:i" xsi:type="xs:string">a group</v>'
    expect(elementsOf(parseXml(`<a>${value.repeat(390)}</a>`))).toHaveLength(391)
    expect(() => parseXml(`<a>${'<b/>'.repeat(1501)}</a>`)).toThrow(refused)
  })

  it('a message that inflates to more than a request may have', () => {
    const inflated = (length: number) => deflateRawSync('<a>'.padEnd(length - 4, ' ').concat('</a>')).toString('base64')
    expect(decodeMessage(inflated(32_000))).toHaveLength(32_000)
    expect(inflated(33_000).length).toBeLessThan(200)
    expect(() => decodeMessage(inflated(33_000))).toThrow(refused)
  })
})

describe('an encoded message', () => {
  const source = '<a>é</a>'
  const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')

  it.each([
    ['base64', base64(source)],
    ['deflated', base64(deflateRawSync(source))],
    ['in lines', base64(source).replace(/(.{4})/g, '$1\r\n')],
  ])('a message is decoded: %s', (_, sent) => {
    expect(decodeMessage(sent)).toBe(source)
  })

  it.each([
    ['no base64', '%%%'],
    ['base64url', '_-_-'],
    ['what is neither XML nor deflated', base64('hello')],
    ['a bomb', base64(deflateRawSync('<a>'.padEnd(100_000_000, ' ')))],
    ['no UTF-8', base64(Buffer.from([0x3c, 0xff, 0xfe]))],
    ['more than a message may have', base64(' '.repeat(300_000))],
    ['nothing', ''],
  ])('a message is refused: %s', (_, sent) => {
    expect(() => parseXml(decodeMessage(sent))).toThrow(refused)
  })
})

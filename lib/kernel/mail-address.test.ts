import { describe, expect, it } from 'vitest'
import { canonical, domainInAscii, mailboxInAscii, readableDomain } from './mail-address'

const BOOKS = 'i@bücher.example'

describe('the spellings of one mailbox', () => {
  it.each([
    'i@bücher.example',
    'i@xn--bcher-kva.example',
    'I@XN--BCHER-KVA.EXAMPLE',
    'i@BÜCHER.example',
    'i@bu\u0308cher.example',
    'i@ｂücher.ｅｘａｍｐｌｅ',
    'i@bücher。example',
    'i@bücher．example',
    'i@bücher.example.',
    'i@xn--bcher-kva.example.',
    'i@bü\u00adcher.example',
    ' i@bücher.example\u00a0',
  ])('%j has one form', (spelling) => {
    expect(canonical(spelling)).toBe(BOOKS)
  })

  it.each([
    ['jos\u0065\u0301@mail.test', 'jos\u00e9@mail.test'],
    ['JOSÉ@mail.test', 'josé@mail.test'],
    ['kim@MAIL.test.', 'kim@mail.test'],
    ['Kim.Lee+x@Mail.Test', 'kim.lee+x@mail.test'],
    ['"a@b"@bücher.example', '"a@b"@bücher.example'],
    ['KimmY', 'kimmy'],
    ['a@straße.example', 'a@xn--strae-oqa.example'],
  ])('the address %j is the same mailbox as %j', (spelling, other) => {
    expect(canonical(spelling)).toBe(canonical(other))
  })
})

describe('different mailboxes', () => {
  it.each([
    ['a Cyrillic letter', 'kim@mail.test', 'k\u0456m@mail.test'],
    ['a Cyrillic letter in the domain', 'kim@mail.test', 'kim@m\u0430il.test'],
    ['a full-width local part', 'kim@mail.test', 'ｋｉｍ@mail.test'],
    ['a ligature in the local part', 'office@mail.test', 'o\ufb03ce@mail.test'],
    ['an invisible mark in the local part', 'kim@mail.test', 'k\u200bim@mail.test'],
    ['a full-width at sign', 'kim@mail.test', 'kim\uff20mail.test'],
    ['an umlaut', 'i@bucher.example', BOOKS],
    ['a sharp s', 'a@strasse.example', 'a@straße.example'],
    ['a final sigma', 'a@βόλοσ.example', 'a@βόλος.example'],
    ['a plus', 'kim@mail.test', 'kim+x@mail.test'],
    ['points in the local part', 'kim.lee@mail.test', 'kimlee@mail.test'],
    ['a dot at the end of the local part', 'kim@mail.test', 'kim.@mail.test'],
    ['percent-encoding', 'i@bücher.example', 'i@b%C3%BCcher.example'],
    ['numbers that URLs read as an address', 'i@127.0.0.1', 'i@0x7f.1'],
    ['invalid punycode', 'i@xn--a.example', 'i@a.example'],
  ])('addresses that differ by %s stay different', (_name, one, other) => {
    expect(canonical(one)).not.toBe(canonical(other))
  })
})

it.each([
  BOOKS,
  'i@xn--a.example',
  'İ@mail.test',
  'Ω@xn--bcher-kva.example',
  'kim@',
  '@',
  '',
  'ẞ@ẞ.example',
  'a@b..',
  '\u212b@\u212b.test',
])('%j has a form that is its own', (text) => {
  expect(canonical(canonical(text))).toBe(canonical(text))
})

it('mails go to the domain in ASCII', () => {
  expect(mailboxInAscii(BOOKS)).toBe('i@xn--bcher-kva.example')
  expect(mailboxInAscii('jörg@mail.test')).toBe('jörg@mail.test')
  expect(mailboxInAscii('i@xn--a.example')).toBe('i@xn--a.example')
})

it('a domain has a readable form and one in ASCII', () => {
  expect(readableDomain('XN--BCHER-KVA.example.')).toBe('bücher.example')
  expect(readableDomain('xn--a.Example')).toBe('xn--a.example')
  for (const text of ['', 'a b', 'a/b', 'a@b', 'a:1', '[::1]', '1.2.3.4', 'xn--a'])
    expect(domainInAscii(text)).toBeNull()
})

import { describe, expect, it } from 'vitest'
import { autoPostForm, escapeHtml, onwardPage, webMessage } from './html'

const HOSTILE = `"><script>alert(1)</script>'&\u2028</form>`
const words = { title: 'Signing in', button: 'Continue' }

it('escapes every character that could become markup', () => {
  expect(escapeHtml(`<a href="x" id='y'>&</a>`)).toBe('&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;&lt;/a&gt;')
})

describe('the form that posts itself', () => {
  const { headers, body } = autoPostForm('https://app.test/cb?a=1&b=2', { state: HOSTILE, code: 'c' }, words, 'n0nce')

  it('posts the fields to the action and to nothing else', () => {
    expect(body).toContain('<form method="post" action="https://app.test/cb?a=1&amp;b=2">')
    expect(body).toContain('<input type="hidden" name="code" value="c">')
    expect(String(body).match(/<form/g)).toHaveLength(1)
  })

  it('holds one script, the one whose nonce the policy names', () => {
    expect(String(body).match(/<script/g)).toHaveLength(1)
    expect(body).toContain('<script nonce="n0nce">')
    expect(Object.fromEntries(headers)['content-security-policy']).toContain("script-src 'nonce-n0nce'")
  })

  it('names its origin to the receiver, and no more of its address', () => {
    expect(headers.filter(([name]) => name === 'referrer-policy')).toEqual([['referrer-policy', 'strict-origin']])
  })

  it('brings the icon that a browser would ask for otherwise', () => {
    expect(body).toContain('<link rel="icon" href="data:,">')
    expect(Object.fromEntries(headers)['content-security-policy']).toContain('img-src data:;')
  })

  it('has a button for a browser without scripts', () => {
    expect(body).toContain('<noscript><button>Continue</button></noscript>')
  })
})

describe('the page that goes on', () => {
  const { status, headers, body } = onwardPage(`https://id.test/authorize?a=1&b=2`, { title: HOSTILE, link: HOSTILE })

  it('is no redirect, and goes on with scripts and without', () => {
    expect(status).toBe(200)
    expect(Object.fromEntries(headers).refresh).toBe('0;url=https://id.test/authorize?a=1&b=2')
    expect(body).toContain('<a href="https://id.test/authorize?a=1&amp;b=2">')
  })

  it('has no markup of its words, and runs nothing', () => {
    expect(body).not.toContain('<script')
    expect(Object.fromEntries(headers)['content-security-policy']).toContain("default-src 'none'")
  })
})

describe('the web message', () => {
  const { headers, body } = webMessage({ code: 'c', state: HOSTILE }, 'https://app.test', 'n0nce')

  it('is posted to the one origin, never to any', () => {
    expect(body).toContain(',"https://app.test")')
    expect(body).not.toContain('"*"')
  })

  it('cannot be ended by a value', () => {
    expect(String(body).match(/<\/script>/g)).toHaveLength(1)
    expect(body).not.toContain('\u2028')
  })

  it('says what was answered, as the SDKs read it', () => {
    const message = /postMessage\((\{.*\}),"https/.exec(String(body))?.[1] ?? ''
    expect(JSON.parse(message)).toEqual({ type: 'authorization_response', response: { code: 'c', state: HOSTILE } })
  })

  it('may be framed by that origin alone', () => {
    const policy = Object.fromEntries(headers)['content-security-policy']
    expect(policy).toContain('frame-ancestors https://app.test;')
    expect(Object.fromEntries(headers)['x-frame-options']).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { json, redirect, withHeaders } from '../../http/message'
import { toHttpRequest, toResponse } from './message'

const URL_OF_NEXT = 'http://localhost:3000/oauth/token'

const arrival = { id: 'r1', path: '/oauth/token', params: {}, maxBody: 10, readPeer: () => ({ ip: '198.51.100.7' }) }

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request(URL_OF_NEXT, { method: 'POST', body, headers })

describe('a request through the Next adapter', () => {
  it('keeps repeated query parameters, their order and their escapes', async () => {
    const request = new Request(`${URL_OF_NEXT}?b=1&a=x+y&b=2&c=%2B%00&d`)
    const { query } = await toHttpRequest(request, arrival)
    expect([...query]).toEqual([
      ['b', '1'],
      ['a', 'x y'],
      ['b', '2'],
      ['c', '+\0'],
      ['d', ''],
    ])
  })

  it('has header names in lower case and the requested host', async () => {
    const request = new Request(URL_OF_NEXT, { headers: { Host: 'id.test', 'X-Thing': 'Kept' } })
    const { headers, body, method, ip } = await toHttpRequest(request, arrival)
    expect({ host: headers.host, thing: headers['x-thing'] }).toEqual({ host: 'id.test', thing: 'Kept' })
    expect({ size: body.length, method, ip }).toEqual({ size: 0, method: 'GET', ip: '198.51.100.7' })
  })

  it('asks for the address with the headers that came', async () => {
    const readPeer = (headers: Readonly<Record<string, string | undefined>>) => ({ ip: headers['x-real-ip'] ?? 'none' })
    const { ip } = await toHttpRequest(post('', { 'x-real-ip': '203.0.113.9' }), { ...arrival, readPeer })
    expect(ip).toBe('203.0.113.9')
  })

  it('takes the bytes of a body as they are', async () => {
    const bytes = new Uint8Array([0, 255, 13, 10])
    const { body } = await toHttpRequest(post(bytes), arrival)
    expect([...body]).toEqual([...bytes])
  })

  it('reads no further than one byte beyond what the endpoint takes', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(6))
      },
    })
    const request = new Request(URL_OF_NEXT, { method: 'POST', body: endless, duplex: 'half' } as RequestInit)
    const { body } = await toHttpRequest(request, arrival)
    expect(body.length).toBe(11)
    expect(pulled).toBeLessThan(5)
  })
})

describe('a response through the Next adapter', () => {
  it('keeps every cookie apart', () => {
    const answer = withHeaders(redirect('https://app.test/cb'), ['set-cookie', 'a=1; Path=/'], ['set-cookie', 'b=2'])
    expect(toResponse(answer).headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
  })

  it('keeps the fragment of a redirect and adds no content type to an answer without content', () => {
    const { headers, status, body } = toResponse(redirect('https://app.test/cb#code=a%20b&state=s'))
    expect(headers.get('location')).toBe('https://app.test/cb#code=a%20b&state=s')
    expect({ status, body, type: headers.get('content-type') }).toEqual({ status: 302, body: null, type: null })
  })

  it('sends text and bytes alike', async () => {
    expect(await toResponse(json({ a: 'ü' }, 403)).json()).toEqual({ a: 'ü' })
    const bytes = { status: 200, headers: [], body: Buffer.from('ready') }
    expect(await toResponse(bytes).text()).toBe('ready')
  })

  it.each([204, 304])('sends a %i, which must have no body', (status) => {
    expect(toResponse({ status, headers: [], body: '' }).status).toBe(status)
  })
})

import { describe, expect, it } from 'vitest'
import { nearestOf, unregistered } from './unregistered'

const REGISTERED = ['https://shop.example/cb', 'http://localhost:5173', 'https://shop.example/silent']

describe('the nearest registered address', () => {
  it.each([
    ['http://localhost:5173/', 'http://localhost:5173'],
    ['http://127.0.0.1:5173/', 'http://localhost:5173'],
    ['http://localhost:3000/api/auth', 'http://localhost:5173'],
    ['https://shop.example/cb/', 'https://shop.example/cb'],
    ['HTTPS://SHOP.EXAMPLE/silent', 'https://shop.example/silent'],
    ['https://evil.example/silent', 'https://shop.example/silent'],
  ])('the registered address nearest to %s is %s', (url, nearest) => {
    expect(nearestOf(url, REGISTERED)).toBe(nearest)
  })

  it('is undefined where no address is registered', () => {
    expect(nearestOf('https://a.example', [])).toBeUndefined()
  })
})

describe('the sentence for the log', () => {
  it('asks for the nearest', () => {
    expect(unregistered('callback_not_registered', 'http://localhost:5173/', REGISTERED)).toEqual({
      reason: 'callback_not_registered',
      detail: 'http://localhost:5173/ is not registered; did you mean http://localhost:5173?',
    })
  })

  it('has no query, fragment, user info or control characters, and is bounded', () => {
    const { detail } = unregistered('callback_not_registered', 'https://u:p@a.example/\u0007x?token=t#secret', [])
    expect(detail).toBe('https://a.example/?x is not registered; none is registered')
    const { detail: long } = unregistered('callback_not_registered', `https://a.example/${'x'.repeat(5000)}`, [])
    expect(long.length).toBeLessThan(200)
  })
})

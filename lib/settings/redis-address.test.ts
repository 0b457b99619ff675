import { describe, expect, it } from 'vitest'
import { parseRedisUrl } from './redis-address'

describe('REDIS_URL', () => {
  it('names one server', () => {
    expect(parseRedisUrl('redis://kim:p%40ss@db.internal:7000/3')).toEqual({
      kind: 'single',
      nodes: [{ host: 'db.internal', port: 7000 }],
      primary: undefined,
      database: 3,
      username: 'kim',
      password: 'p@ss',
      sentinelPassword: undefined,
      tls: false,
    })
    expect(parseRedisUrl('rediss://:secret@[::1]')).toMatchObject({
      nodes: [{ host: '::1', port: 6379 }],
      database: 0,
      username: undefined,
      password: 'secret',
      tls: true,
    })
  })

  it('names sentinels and what they watch', () => {
    expect(parseRedisUrl('redis+sentinel://a:1,b/main/2?sentinel_password=s%40')).toMatchObject({
      kind: 'sentinel',
      nodes: [
        { host: 'a', port: 1 },
        { host: 'b', port: 26379 },
      ],
      primary: 'main',
      sentinelPassword: 's@',
      database: 2,
    })
  })

  it('names a cluster', () => {
    expect(parseRedisUrl('rediss+cluster://a,b:7001')).toMatchObject({
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 6379 },
        { host: 'b', port: 7001 },
      ],
      database: 0,
      tls: true,
    })
  })

  it.each([
    'localhost:6379',
    'http://localhost',
    'redis://',
    'redis://a,b',
    'redis://a:0',
    'redis://a:70000',
    'redis://a/one',
    'redis://a/1/2',
    'redis://%zz@a',
    'redis://a?x=1',
    'redis://a?sentinel_password=x',
    'redis+sentinel://a/main?sentinel_password=%zz',
    'redis+sentinel://a',
    'redis+cluster://a/1',
    'redis+cluster://a,,b',
  ])('refuses %s', (url) => expect(parseRedisUrl(url)).toBeNull())
})

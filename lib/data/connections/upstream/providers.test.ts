import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PROVIDERS } from './providers'

const documented = new Map(
  readFileSync('docs/connections.md', 'utf8')
    .split('\n')
    .flatMap((line): [string, string[]][] => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
      const strategy = /^`([\w-]+)`$/.exec(cells[1] ?? '')?.[1]
      return strategy !== undefined && cells.length === 7 && cells[2] !== 'Provider'
        ? [[strategy, cells.slice(3, 6)]]
        : []
    }),
)

it('documents every provider, and no other', () => {
  expect([...documented.keys()].sort()).toEqual(Object.keys(PROVIDERS).sort())
})

describe.each(Object.entries(PROVIDERS))('%s', (strategy, row) => {
  it('is documented as it is', () => {
    const [id = ''] = (row.id ?? 'sub').split('|')
    const connection = row.keyedBy === 'connection' ? '<connection>\\|' : ''
    expect(documented.get(strategy)).toEqual([
      row.protocol === 'oidc' ? 'OpenID Connect' : 'OAuth 2.0',
      `\`${strategy}\\|${connection}<${strategy === 'oauth2' ? 'id' : id.split('.').at(-1)}>\``,
      row.verified === 'claim' ? 'its own' : 'as the connection says',
    ])
  })

  it('is called by https alone', () => {
    const { issuer, authorization, token, userinfo, addresses } = row
    for (const address of [issuer, authorization, token, userinfo, addresses?.url]) {
      if (address !== undefined) expect(new URL(address.replace(/\{\w+\}/, 'x.test')).protocol).toBe('https:')
    }
  })

  it('is either found by its issuer, or described whole, or left to the connection', () => {
    const { protocol, authorization, token, userinfo, issuer } = row
    const endpoints = [authorization, token, userinfo].filter((each) => each !== undefined)
    expect(endpoints).toHaveLength(protocol === 'oauth2' && strategy !== 'oauth2' ? 3 : 0)
    if (issuer !== undefined) expect(protocol).toBe('oidc')
  })
})

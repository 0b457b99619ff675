import { describe, expect, it } from 'vitest'
import { samlSettings } from '../clients/saml'
import { withCustom } from './attributes'

const mapping = (over: object = {}) => ({ ...samlSettings.parse({}), ...over })
const NAME = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name'
const BEFORE = new Map([[NAME, ['Kim']]])

describe('what rules have an assertion say besides', () => {
  it('has its own name where that is an address, else the vendor’s before it', () => {
    const custom = { 'https://acme.example/roles': ['a', 'b'], team: 'blue' }
    expect([...withCustom(BEFORE, custom, mapping())]).toEqual([
      [NAME, ['Kim']],
      ['https://acme.example/roles', ['a', 'b']],
      ['http://schemas.auth0.com/team', ['blue']],
    ])
  })

  it('goes where the client’s mappings say, and nowhere where only mapped claims pass', () => {
    const settings = mapping({ mappings: { team: 'urn:team' }, passthroughClaimsWithNoMapping: false })
    expect([...withCustom(BEFORE, { team: 'blue', other: 'x' }, settings)]).toEqual([
      [NAME, ['Kim']],
      ['urn:team', ['blue']],
    ])
  })

  it('replaces nothing that the profile says, and leaves out what is no text, number or flag', () => {
    expect([...withCustom(BEFORE, { [NAME]: 'Eve', 'urn:x': { deep: true }, 'urn:y': null }, mapping())]).toEqual([
      [NAME, ['Kim']],
    ])
  })
})

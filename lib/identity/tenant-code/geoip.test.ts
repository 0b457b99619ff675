import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPlaces } from '../../server/maintenance/geoip'
import { writeMmdb } from '../../testing/mmdb'
import { type GeoLocation, placeIn, riskOf, travelOf } from './geoip'

const BERLIN = {
  city: { names: { en: 'Berlin', de: 'Berlin' } },
  continent: { code: 'EU' },
  country: { iso_code: 'DE', names: { en: 'Germany' } },
  location: { latitude: 52.52, longitude: 13.4, time_zone: 'Europe/Berlin', accuracy_radius: 20 },
  subdivisions: [{ iso_code: 'BE', names: { en: 'State of Berlin' } }],
}

const errors: unknown[] = []
const log = { error: (fields: unknown) => void errors.push(fields) }

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-geoip-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('the place of an address', () => {
  it('is what the file of MaxMind says, under the vendor’s names', async () => {
    const file = join(folder, 'city.mmdb')
    await writeFile(file, writeMmdb({ '203.0.113.9': BERLIN, '198.51.100.7': { country: { iso_code: 'FR' } } }))
    const placeOf = await findPlaces(file, log)
    expect(placeOf?.('203.0.113.9')).toEqual({
      ...{ cityName: 'Berlin', continentCode: 'EU', countryCode: 'DE', countryCode3: 'DEU', countryName: 'Germany' },
      ...{ latitude: 52.52, longitude: 13.4, timeZone: 'Europe/Berlin' },
      ...{ subdivisionCode: 'BE', subdivisionName: 'State of Berlin' },
    })
    expect(placeOf?.('198.51.100.7')).toEqual({ countryCode: 'FR', countryCode3: 'FRA' })
    for (const address of ['192.0.2.1', '2001:db8::1', 'no address', '']) expect(placeOf?.(address)).toEqual({})
  })

  it('is unknown without a file, and with one that cannot be read', async () => {
    expect(await findPlaces(undefined, log)).toBeNull()
    expect(await findPlaces(join(folder, 'absent.mmdb'), log)).toBeNull()
    const broken = join(folder, 'broken.mmdb')
    await writeFile(broken, 'no database')
    expect(await findPlaces(broken, log)).toBeNull()
    expect(errors).toHaveLength(2)
  })

  it.each([[null], ['text'], [{ country: 'DE' }], [{ location: { latitude: 'north' } }]])(
    'the place of %j is empty',
    (found) => {
      expect(placeIn(found, () => undefined)).toEqual({})
    },
  )
})

describe('the travel since the last login', () => {
  const PLACES: Record<string, GeoLocation> = {
    berlin: { latitude: 52.52, longitude: 13.4 },
    potsdam: { latitude: 52.39, longitude: 13.06 },
    paris: { latitude: 48.86, longitude: 2.35 },
    sydney: { latitude: -33.87, longitude: 151.21 },
  }
  const placeOf = (ip: string): GeoLocation => PLACES[ip] ?? {}
  const at = (hours: number): Date => new Date(hours * 3_600_000)

  it.each([
    ['berlin', 'potsdam', 0, 'high', 'minimal_travel_from_last_login'],
    ['berlin', 'paris', 12, 'high', 'travel_from_last_login'],
    ['berlin', 'paris', 1.5, 'medium', 'substantial_travel_from_last_login'],
    ['berlin', 'paris', 0.5, 'low', 'impossible_travel_from_last_login'],
    ['berlin', 'paris', -1, 'low', 'impossible_travel_from_last_login'],
    ['berlin', 'sydney', 10, 'low', 'impossible_travel_from_last_login'],
    ['berlin', 'sydney', 24, 'medium', 'substantial_travel_from_last_login'],
    ['berlin', 'nowhere', 10, 'neutral', 'missing_geoip'],
    ['nowhere', 'berlin', 10, 'neutral', 'missing_geoip'],
  ])('from %s to %s in %d hours has the confidence %s', (from, to, hours, confidence, code) => {
    expect(travelOf({ ip: from, at: at(100) }, { ip: to, at: at(100 + hours) }, placeOf)).toEqual({ confidence, code })
  })

  it('is unknown at the first login', () => {
    expect(riskOf(null, { ip: 'berlin', at: at(0) }, placeOf)).toEqual({
      ...{ confidence: 'neutral', version: '1' },
      assessments: { ImpossibleTravel: { confidence: 'neutral', code: 'initial_login' } },
    })
  })
})

// Where an address is, under the vendor's names, and how far a login is from the one before. Pure; a file of MaxMind says where
// (lib/server/maintenance/geoip.ts).
import * as z from 'zod'
import type { JsonObject } from '../../kernel/json'

/** `event.request.geoip`. Empty for an address that the file does not know. */
export type GeoLocation = {
  cityName?: string
  continentCode?: string
  countryCode?: string
  /** ISO 3166-1 alpha-3. */
  countryCode3?: string
  countryName?: string
  latitude?: number
  longitude?: number
  subdivisionCode?: string
  subdivisionName?: string
  timeZone?: string
}

/** Null where the operator names no file. */
export type PlaceOf = ((ip: string) => GeoLocation) | null

const named = z.object({ en: z.string().optional() }).optional()

/** A record of a City or Country database (GeoIP2 and GeoLite2). */
const record = z.object({
  city: z.object({ names: named }).optional(),
  continent: z.object({ code: z.string().optional() }).optional(),
  country: z.object({ iso_code: z.string().optional(), names: named }).optional(),
  location: z
    .object({ latitude: z.number().optional(), longitude: z.number().optional(), time_zone: z.string().optional() })
    .optional(),
  subdivisions: z.array(z.object({ iso_code: z.string().optional(), names: named })).optional(),
})

/** @param alpha3Of the three letters of a country, by its two */
export function placeIn(found: unknown, alpha3Of: (alpha2: string) => string | undefined): GeoLocation {
  const { data } = record.safeParse(found)
  const { city, continent, country, location, subdivisions: [subdivision] = [] } = data ?? {}
  const members = {
    cityName: city?.names?.en,
    continentCode: continent?.code,
    countryCode: country?.iso_code,
    countryCode3: country?.iso_code === undefined ? undefined : alpha3Of(country.iso_code),
    countryName: country?.names?.en,
    latitude: location?.latitude,
    longitude: location?.longitude,
    subdivisionCode: subdivision?.iso_code,
    subdivisionName: subdivision?.names?.en,
    timeZone: location?.time_zone,
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

type Login = { ip: string; at: Date }

type Assessment = { confidence: 'low' | 'medium' | 'high' | 'neutral'; code: string }

/** Kilometres that a person may be apart without having travelled: addresses are known that well. */
const NEAR_KM = 100
/** Kilometres in an hour: by land, and by air. */
const BY_LAND = 300
const BY_AIR = 1000

/** Whether a person can have come from where the last login was. `confidence` is that the login is theirs. */
export function travelOf(last: Login | null, now: Login, placeOf: (ip: string) => GeoLocation): Assessment {
  if (last === null) return { confidence: 'neutral', code: 'initial_login' }
  const kilometres = distance(placeOf(last.ip), placeOf(now.ip))
  if (kilometres === null) return { confidence: 'neutral', code: 'missing_geoip' }
  if (kilometres <= NEAR_KM) return { confidence: 'high', code: 'minimal_travel_from_last_login' }
  const hours = Math.max(now.at.getTime() - last.at.getTime(), 0) / 3_600_000
  const speed = kilometres / Math.max(hours, 1 / 60)
  if (speed <= BY_LAND) return { confidence: 'high', code: 'travel_from_last_login' }
  return speed <= BY_AIR
    ? { confidence: 'medium', code: 'substantial_travel_from_last_login' }
    : { confidence: 'low', code: 'impossible_travel_from_last_login' }
}

/** `event.authentication.riskAssessment`. Of the vendor's assessments there is one here. */
export function riskOf(last: Login | null, now: Login, placeOf: (ip: string) => GeoLocation): JsonObject {
  const travel = travelOf(last, now, placeOf)
  return { confidence: travel.confidence, version: '1', assessments: { ImpossibleTravel: travel } }
}

const EARTH_KM = 6371

/** The shortest way over the surface (haversine). */
function distance(one: GeoLocation, other: GeoLocation): number | null {
  const [a, b] = [pointOf(one), pointOf(other)]
  if (a === null || b === null) return null
  const half = (angle: number) => Math.sin(angle / 2) ** 2
  const h =
    half(b.latitude - a.latitude) + Math.cos(a.latitude) * Math.cos(b.latitude) * half(b.longitude - a.longitude)
  return 2 * EARTH_KM * Math.asin(Math.sqrt(Math.min(1, h)))
}

const pointOf = ({ latitude, longitude }: GeoLocation) =>
  latitude === undefined || longitude === undefined
    ? null
    : { latitude: (latitude * Math.PI) / 180, longitude: (longitude * Math.PI) / 180 }

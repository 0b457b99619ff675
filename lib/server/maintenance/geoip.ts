// The file of MaxMind that LATCHKEY_GEOIP_FILE names. It is read once, and again when it changes, as MaxMind's updater changes it.
import { type GeoLocation, type PlaceOf, placeIn } from '../../identity/tenant-code/geoip'
import type { Logger } from './log'

/** Throws for what is no such file. */
export async function openPlaces(path: string): Promise<(ip: string) => GeoLocation> {
  const [{ open, validate }, { default: countries }] = await Promise.all([
    import('maxmind'),
    // Without the names of countries in all languages, which the package's main module loads.
    import('i18n-iso-countries/index.js'),
  ])
  const reader = await open(path, { watchForUpdates: true, watchForUpdatesNonPersistent: true })
  return (ip) => (validate(ip) ? placeIn(reader.get(ip), countries.alpha2ToAlpha3) : {})
}

/** A file that cannot be read leaves actions without places; the log says so. */
export async function findPlaces(path: string | undefined, log: Pick<Logger, 'error'>): Promise<PlaceOf> {
  if (path === undefined) return null
  try {
    return await openPlaces(path)
  } catch (err) {
    log.error({ err }, 'LATCHKEY_GEOIP_FILE cannot be read: actions get no places.')
    return null
  }
}

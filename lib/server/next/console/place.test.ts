import { expect, it } from 'vitest'
import { placeIn } from './place'

it.each([
  ['America/New_York,en-US', 'America/New_York', 'en-US'],
  ['Europe/Berlin,de', 'Europe/Berlin', 'de'],
  ['Etc/GMT+5,ar-EG', 'Etc/GMT+5', 'ar-EG'],
])('the value %s is a place', (value, zone, language) => {
  expect(placeIn(value)).toEqual({ zone, language, isKnown: true })
})

it.each([
  '',
  'Europe/Berlin',
  'Nowhere/Land,en',
  'Europe/Berlin,e',
  'Europe/Berlin,en_US',
  'Europe/Berlin,en;x',
  `${'A'.repeat(100)},en`,
  '<script>,en',
])('with the value %j, times are in UTC', (value) => {
  expect(placeIn(value)).toEqual({ zone: 'UTC', language: 'en', isKnown: false })
})

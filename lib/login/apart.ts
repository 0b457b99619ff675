// A login apart from the session of the browser: the test of a login (docs/adr/0072). It neither finds nor ends the session of the administrator who
// makes it, and leaves none behind.
import { type Connection, isOpen } from '../data/connections/connection'
import type { Wants } from './transaction'
import type { Visitor } from './visitor'

export const apartFrom = (visitor: Visitor, { apart }: Pick<Wants, 'apart'>): Visitor =>
  apart === undefined ? visitor : { ...visitor, signedIn: null, cookies: { ...visitor.cookies, session: undefined } }

/** The connections as they are for the login: what a test opens is enabled for its application. */
export const connectionsFor = (
  { apart, clientId }: Pick<Wants, 'apart' | 'clientId'>,
  all: readonly Connection[],
): readonly Connection[] =>
  apart?.opens === undefined
    ? all
    : all.map((connection) => (isOpened(connection, apart.opens) ? enabledFor(connection, clientId) : connection))

const isOpened = (connection: Connection, opens: string | undefined): boolean =>
  opens === '*' ? isOpen(connection) : connection.name === opens

const enabledFor = (connection: Connection, clientId: string): Connection =>
  ({ ...connection, settings: { ...connection.settings, enabled_clients: [clientId] } }) as Connection

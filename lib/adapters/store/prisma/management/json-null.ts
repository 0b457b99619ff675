// What Prisma calls null in a column of JSON. Its client is loaded with the first use: loading takes longer than the rest of a start.

import type { Prisma } from '../../../../../prisma/generated/client'
import type { JsonObject } from '../../../../kernel/json'
import { lazy } from '../../../../kernel/lazy'

const prisma = lazy(async () => (await import('../../../../../prisma/generated/client')).Prisma)

/** A value for a column that may be NULL. */
export const jsonOrNull = async (value: JsonObject | null): Promise<Prisma.InputJsonObject | typeof Prisma.DbNull> =>
  value === null ? (await prisma()).DbNull : (value as Prisma.InputJsonObject)

/** Rows whose setting has this value, with those that lack the setting where it is the default. */
export async function settingIs(name: string, value: string | boolean, byDefault: string | boolean) {
  const stored = { settings: { path: [name], equals: value } }
  if (value !== byDefault) return stored
  return { OR: [stored, { settings: { path: [name], equals: (await prisma()).AnyNull } }] }
}

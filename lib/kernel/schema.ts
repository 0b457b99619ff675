import * as z from 'zod'

/** The schema without what makes its value optional, or needed again. */
export const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodNonOptional
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema

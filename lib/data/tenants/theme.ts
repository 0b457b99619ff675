// The theme of a tenant's pages: the vendor's object, within its bounds (those of its Deploy CLI) and with its defaults (those of
// its Terraform provider).
import * as z from 'zod'
import { HEX_COLOUR } from '../../kernel/hex-colour'
import { isJsonObject, type JsonObject, objectIn } from '../../kernel/json'
import { unwrapped, withoutEffect } from '../../kernel/schema'
import { webResource } from '../../kernel/web-resource'

const resourceOrNone = z.union([z.literal(''), webResource])
const colour = z.string().regex(HEX_COLOUR, 'must be a hex colour like #1f6feb')
const within = (min: number, max: number) => z.number().min(min).max(max)
const style = z.enum(['pill', 'rounded', 'sharp'])
const side = z.enum(['center', 'left', 'right'])
/** The size is a percentage of `reference_text_size`. */
const text = (min = 0) => z.strictObject({ bold: z.boolean(), size: within(min, 150) })

/** What a theme must have. */
export const themeParts = {
  borders: z.strictObject({
    button_border_radius: within(1, 10),
    button_border_weight: within(0, 10),
    buttons_style: style,
    input_border_radius: within(0, 10),
    input_border_weight: within(0, 3),
    inputs_style: style,
    show_widget_shadow: z.boolean(),
    widget_border_weight: within(0, 10),
    widget_corner_radius: within(0, 50),
  }),
  colors: z.strictObject({
    base_focus_color: colour.optional(),
    base_hover_color: colour.optional(),
    body_text: colour,
    captcha_widget_theme: z.enum(['auto', 'light', 'dark']).optional(),
    error: colour,
    header: colour,
    icons: colour,
    input_background: colour,
    input_border: colour,
    input_filled_text: colour,
    input_labels_placeholders: colour,
    links_focused_components: colour,
    primary_button: colour,
    primary_button_label: colour,
    read_only_background: colour.optional(),
    secondary_button_border: colour,
    secondary_button_label: colour,
    success: colour,
    widget_background: colour,
    widget_border: colour,
  }),
  fonts: z.strictObject({
    body_text: text(),
    buttons_text: text(),
    font_url: resourceOrNone,
    input_labels: text(),
    links: text(),
    links_style: z.enum(['normal', 'underlined']),
    /** In pixels. */
    reference_text_size: within(12, 24),
    subtitle: text(),
    title: text(75),
  }),
  page_background: z.strictObject({
    background_color: colour,
    background_image_url: resourceOrNone,
    page_layout: side,
  }),
  widget: z.strictObject({
    header_text_alignment: side,
    logo_height: within(1, 100),
    logo_position: z.enum(['center', 'left', 'none', 'right']),
    logo_url: resourceOrNone,
    social_buttons_layout: z.enum(['bottom', 'top']),
  }),
}

export const themeSchema = z.strictObject({
  displayName: z
    .string()
    .max(2048)
    .regex(/^[^<>]*$/, 'must not contain < or >')
    .optional(),
  ...themeParts,
  identifiers: withoutEffect(
    z.strictObject({
      login_display: z.enum(['separate', 'unified']),
      otp_autocomplete: z.boolean(),
      phone_display: z.strictObject({
        formatting: z.enum(['international', 'regional']),
        masking: z.enum(['hide_country_code', 'mask_digits', 'show_all']),
      }),
    }),
  ).optional(),
})

export type Theme = z.output<typeof themeSchema>

const DEFAULTS: Theme = {
  borders: {
    button_border_radius: 3,
    button_border_weight: 1,
    buttons_style: 'rounded',
    input_border_radius: 3,
    input_border_weight: 1,
    inputs_style: 'rounded',
    show_widget_shadow: true,
    widget_border_weight: 0,
    widget_corner_radius: 5,
  },
  colors: {
    body_text: '#1e212a',
    error: '#d03c38',
    header: '#1e212a',
    icons: '#65676e',
    input_background: '#ffffff',
    input_border: '#c9cace',
    input_filled_text: '#000000',
    input_labels_placeholders: '#65676e',
    links_focused_components: '#635dff',
    primary_button: '#635dff',
    primary_button_label: '#ffffff',
    secondary_button_border: '#c9cace',
    secondary_button_label: '#1e212a',
    success: '#13a688',
    widget_background: '#ffffff',
    widget_border: '#c9cace',
  },
  fonts: {
    body_text: { bold: false, size: 87.5 },
    buttons_text: { bold: false, size: 100 },
    font_url: '',
    input_labels: { bold: false, size: 100 },
    links: { bold: true, size: 87.5 },
    links_style: 'normal',
    reference_text_size: 16,
    subtitle: { bold: false, size: 87.5 },
    title: { bold: false, size: 150 },
  },
  page_background: { background_color: '#000000', background_image_url: '', page_layout: 'center' },
  widget: {
    header_text_alignment: 'center',
    logo_height: 52,
    logo_position: 'center',
    logo_url: '',
    social_buttons_layout: 'bottom',
  },
}

/** The theme that a document holds. One that was stored before its members had bounds gets the default of each that is absent or outside. */
export const readTheme = (stored: unknown): Theme => completed(themeSchema, stored, DEFAULTS) as Theme

function completed(schema: z.ZodObject, value: unknown, defaults: JsonObject): JsonObject {
  const stored = objectIn(value)
  const members = Object.entries(schema.shape).flatMap(([name, member]) => {
    const inner = unwrapped(member as z.ZodType)
    const standard = defaults[name]
    if (inner instanceof z.ZodObject && isJsonObject(standard))
      return [[name, completed(inner, stored[name], standard)] as const]
    const read = (member as z.ZodType).safeParse(stored[name])
    const kept = (read.success ? read.data : standard) as JsonObject[string] | undefined
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return Object.fromEntries(members)
}

/** What a profile may change about itself without proof that an adult uses the device, also while it is for kids. */
export const OWN_SETTINGS = [
  'preferences.language',
  'preferences.captions',
  'preferences.text_size',
  'preferences.high_contrast',
  'preferences.less_motion',
  'preferences.simple_home',
  'preferences.media_title_language',
] as const

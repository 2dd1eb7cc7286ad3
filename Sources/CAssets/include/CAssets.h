// The files of the page that WharfPage serves, which lie in `web` beside this target's source.

#ifndef C_ASSETS_H
#define C_ASSETS_H

#include <stddef.h>

/// The template of the page, in HTML.
const unsigned char *cassets_page_html(size_t *count);

/// The page's script.
const unsigned char *cassets_page_js(size_t *count);

/// The page's style sheet.
const unsigned char *cassets_page_css(size_t *count);

/// The page's icon, in SVG.
const unsigned char *cassets_icon_svg(size_t *count);

#endif

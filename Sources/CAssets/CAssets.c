#include "CAssets.h"

// C23's #embed, which the compiler knows before it knows the standard: the bytes go into the binary.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page_html[] = {
#embed "web/page.html"
};

static const unsigned char page_js[] = {
#embed "web/page.js"
};

static const unsigned char page_css[] = {
#embed "web/page.css"
};

static const unsigned char icon_svg[] = {
#embed "web/icon.svg"
};

const unsigned char *cassets_page_html(size_t *count) {
    *count = sizeof page_html;
    return page_html;
}

const unsigned char *cassets_page_js(size_t *count) {
    *count = sizeof page_js;
    return page_js;
}

const unsigned char *cassets_page_css(size_t *count) {
    *count = sizeof page_css;
    return page_css;
}

const unsigned char *cassets_icon_svg(size_t *count) {
    *count = sizeof icon_svg;
    return icon_svg;
}

#pragma once
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>

/* Swift can't write a function with variadic arguments. */
static void wharf_xml_say_nothing(void *context, const char *message, ...) {
    (void)context;
    (void)message;
}

/* Keeps libxml2 from printing: some errors of encodings go around the parser's own hook. */
static inline void wharf_xml_silence(void) {
    xmlSetGenericErrorFunc(NULL, wharf_xml_say_nothing);
    xmlThrDefSetGenericErrorFunc(NULL, wharf_xml_say_nothing);
}

// What Wharf needs of libminiupnpc, in a shape that its versions share.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <miniupnpc/miniupnpc.h>
#include <miniupnpc/upnpcommands.h>
#include <miniupnpc/upnperrors.h>

// A router: where it takes commands, and our own address on its side.
struct cupnp_router {
    char control_url[512];
    char service_type[256];
    char own_address[64];
};

// Looks for a connected router, for so many milliseconds: 1, or 0 when there is none.
static inline int cupnp_find(struct cupnp_router *router, int milliseconds) {
    int error = 0;
    struct UPNPDev *devices = upnpDiscover(milliseconds, NULL, NULL, 0, 0, 2, &error);
    if (devices == NULL) return 0;
    struct UPNPUrls urls;
    struct IGDdatas data;
    memset(&urls, 0, sizeof urls);
    memset(&data, 0, sizeof data);
    memset(router, 0, sizeof *router);
#if MINIUPNPC_API_VERSION >= 18
    char outside[64];
    int found = UPNP_GetValidIGD(devices, &urls, &data, router->own_address,
                                 sizeof router->own_address, outside, sizeof outside);
    // 2: connected, but its address is a private one, which is still of use.
    int is_connected = found == 1 || found == 2;
#else
    int found = UPNP_GetValidIGD(devices, &urls, &data, router->own_address,
                                 sizeof router->own_address);
    int is_connected = found == 1;
#endif
    freeUPNPDevlist(devices);
    if (is_connected && urls.controlURL != NULL) {
        int length = snprintf(router->control_url, sizeof router->control_url, "%s", urls.controlURL);
        snprintf(router->service_type, sizeof router->service_type, "%s", data.first.servicetype);
        is_connected = length > 0 && (size_t)length < sizeof router->control_url;
    }
    if (found != 0) FreeUPNPUrls(&urls);
    return is_connected;
}

// Maps a TCP port: 0, or an error of UPnP's (718: the port is somebody else's).
static inline int cupnp_map(const struct cupnp_router *router, unsigned outside, unsigned inside,
                            unsigned seconds) {
    char outside_text[8], inside_text[8], seconds_text[16];
    snprintf(outside_text, sizeof outside_text, "%u", outside & 0xFFFF);
    snprintf(inside_text, sizeof inside_text, "%u", inside & 0xFFFF);
    snprintf(seconds_text, sizeof seconds_text, "%u", seconds);
    return UPNP_AddPortMapping(router->control_url, router->service_type, outside_text, inside_text,
                               router->own_address, "Wharf", "TCP", NULL, seconds_text);
}

// Ends a mapping: 0, or an error of UPnP's.
static inline int cupnp_unmap(const struct cupnp_router *router, unsigned outside) {
    char outside_text[8];
    snprintf(outside_text, sizeof outside_text, "%u", outside & 0xFFFF);
    return UPNP_DeletePortMapping(router->control_url, router->service_type, outside_text, "TCP", NULL);
}

// Writes the router's address to the outside as text: 0, or an error of UPnP's.
static inline int cupnp_address(const struct cupnp_router *router, char text[64]) {
    char address[64] = "";
    int code = UPNP_GetExternalIPAddress(router->control_url, router->service_type, address);
    snprintf(text, 64, "%s", address);
    return code;
}

// What an error means, or NULL.
static inline const char *cupnp_error(int code) { return strupnperror(code); }
